// Runs one of the project's programs in a fresh clone with no earlier step (clone-start.mjs): every npm script starts here.
//
//   node scripts/start.mjs harness/cli.ts sweep 0 10 1     a TypeScript file of the project
//   node scripts/start.mjs vitest run                      a program of an installed package
//
// Node 12 can read it: an old Node gets a message, and not a syntax error.
import { oldNodeText } from '../harness/environment/setup/old-node.mjs';

const problem = oldNodeText(process.versions.node);
if (problem === null) {
  void import('./clone-start.mjs');
} else {
  process.stderr.write(problem + '\n');
  process.exitCode = 3;
}
