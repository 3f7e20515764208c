#!/usr/bin/env node
// The command `cachescope` of the installed package. It must run on Node 18 and import nothing but Node itself.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  fitNode,
  requireLinux,
  start,
} from '../../dist/application/harness/environment/setup/launch.mjs';

requireLinux();
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const node = fitNode(false);
start(node, [join(root, 'dist/application/harness/cli.js'), ...process.argv.slice(2)], {
  node,
  // The package itself may lie where this user cannot write.
  compileCache: join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'cachescope',
    'compiled',
  ),
});
