#!/usr/bin/env node
// The command `cachescope` of the installed package. Node 12 can read it: an old Node gets a message, and not a syntax error.
import { oldNodeText } from '../../dist/application/harness/environment/setup/old-node.mjs';

const problem = oldNodeText(process.versions.node);
if (problem === null) {
  void import('./installed-start.mjs');
} else {
  process.stderr.write(problem + '\n');
  process.exitCode = 3;
}
