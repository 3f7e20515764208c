// Runs one of the project's programs in a fresh clone with no earlier step: installs the packages when the lockfile
// has changed, provides a recent Node when the system's is older, and starts the program there.
//
//   node scripts/start.mjs harness/cli.ts sweep 0 10 1     a TypeScript file of the project
//   node scripts/start.mjs vitest run                      a program of an installed package
//
// It must run on Node 20 and import nothing but Node itself.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pnpmVersion = '12.21.0';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.cachescope-installed');

const exitEnvironment = 3;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(exitEnvironment);
}

/** True from Node 24.15 and 25.7 on: older ones ignore a Brotli dictionary without a word (nodejs/node#61763). */
function isRecent(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 24) return minor >= 15;
  if (major === 25) return minor >= 7;
  return major > 25;
}

/** What the installed packages depend on: this text differs when an installation is due. */
function wantedStamp() {
  const hash = createHash('sha256').update(`${pnpmVersion} ${process.platform} ${process.arch}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function installPackages() {
  const stamp = wantedStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  process.stderr.write(
    'Installing packages from the lockfile (first start, or the lockfile changed) …\n',
  );
  const pnpm = ['exec', '--yes', `--package=pnpm@${pnpmVersion}`, '--', 'pnpm'];
  const { status, error } = spawnSync(
    'npm',
    [...pnpm, 'install', '--frozen-lockfile', '--loglevel=error'],
    {
      cwd: root,
      // Results go to stdout, so what an installation says goes to stderr.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, CI: 'true', npm_config_loglevel: 'error' },
    },
  );
  if (error)
    fail(`CS_SETUP_NPM: npm could not be started (${error.message}). Install npm and try again.`);
  if (status !== 0) {
    fail(
      `CS_SETUP_INSTALL: pnpm install ended with code ${status}. See its words above; the package registry must be reachable.`,
    );
  }
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Path of a Node that is recent enough: this one, or the one installed from the registry. */
function recentNode() {
  if (isRecent(process.versions.node)) return process.execPath;
  const installed = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(installed)) return installed;
  return fail(
    `CS_SETUP_NODE: Node ${process.version} is too old (24.15 or newer is needed) and the registry has none for ` +
      `${process.platform}-${process.arch}. Install a newer Node and try again.`,
  );
}

function start(entry, args) {
  const node = recentNode();
  const isFile = entry.endsWith('.ts');
  const command = isFile ? node : join(modules, '.bin', entry);
  const child = spawn(command, isFile ? [join(root, entry), ...args] : args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter),
      // Node's own cache of compiled modules (nodejs.org/api/module.html#module-compile-cache): programs start in less time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'compiled'),
    },
  });
  // The program decides what an interrupt means (finish the sample, save, clean up): pass it on and wait.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    fail(`CS_SETUP_START: ${entry} could not be started: ${error.message}`),
  );
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const [entry, ...args] = process.argv.slice(2);
if (!entry) fail('Usage: node scripts/start.mjs PROGRAM [ARGUMENT ...]');
if (process.platform !== 'linux')
  fail(`CS_SETUP_PLATFORM: Cachescope runs on Linux, not on ${process.platform}.`);
installPackages();
start(entry, args);
