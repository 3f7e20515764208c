// Installs the packages of a clone when the lockfile has changed, provides a fit Node when the system's is not, and starts the
// program there. Imported by start.mjs. It must run on Node 18 and import nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, fitNode, requirePlatform, start } from '../harness/environment/setup/launch.mjs';
import { portableCommands } from '../harness/environment/setup/platform.mjs';
import { installationRemarks } from '../harness/environment/setup/surroundings.mjs';

const pnpmVersion = '12.21.0';
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.cachescope-installed');

/** What the installed packages depend on: this text differs when an installation is due. */
function wantedStamp() {
  const hash = createHash('sha256').update(`${pnpmVersion} ${process.platform} ${process.arch}`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** What the packages take with npm's own cache, bytes: 0.83 GB where the home and the clone are on one disk. */
const neededBytes = 1e9;

function requireInstallable() {
  const remarks = installationRemarks(root, existsSync(modules) ? 0 : neededBytes);
  if (remarks.length === 0) return;
  const lines = remarks.map(({ what, todo }) => `  - ${what}. ${todo}`);
  fail(['CS_SETUP_INSTALL: the packages cannot be installed:', ...lines].join('\n'));
}

function installPackages() {
  const stamp = wantedStamp();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  requireInstallable();
  process.stderr.write(
    'Installing packages from the lockfile (first start, or the lockfile changed) …\n',
  );
  // An installation that fails midway leaves packages of two lockfiles.
  rmSync(stampFile, { force: true });
  const pnpm = ['exec', '--yes', `--package=pnpm@${pnpmVersion}`, '--', 'pnpm'];
  const { status, error } = spawnSync(
    'npm',
    [...pnpm, 'install', '--frozen-lockfile', '--loglevel=error'],
    {
      cwd: root,
      // There npm is a script of the shell, cmd.exe.
      shell: process.platform === 'win32',
      // Results go to stdout, so what an installation says goes to stderr.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, CI: 'true', npm_config_loglevel: 'error' },
    },
  );
  if (error)
    fail(`CS_SETUP_NPM: npm could not be started (${error.message}). Install npm and try again.`);
  if (status !== 0) {
    fail(
      `CS_SETUP_INSTALL: pnpm install ended with code ${status}. See its output above; the package registry must be reachable.`,
    );
  }
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, stamp);
}

const [entry, ...args] = process.argv.slice(2);
if (!entry) fail('Usage: node scripts/start.mjs PROGRAM [ARGUMENT ...]');
// npm takes options before `--` as its own: the command would run, in place of a dry run.
if (
  process.env.npm_config_dry_run === 'true' &&
  entry === 'harness/cli.ts' &&
  !args.includes('--dry-run')
) {
  fail(
    `CS_USAGE: npm takes --dry-run as its own option. Type it after "--": npm run ${args[0]} -- ... --dry-run`,
    2,
  );
}
// The build of the extension and the tools that developers use run wherever Node does.
const isCommand = entry === 'harness/cli.ts';
if (isCommand) requirePlatform(args);
installPackages();
const measures = isCommand && !portableCommands.has(args[0] ?? '');
const node = fitNode({ stripsTypes: true, measures });
const isFile = entry.endsWith('.ts');
start(isFile ? node : join(modules, '.bin', entry), isFile ? [join(root, entry), ...args] : args, {
  node,
  folders: [join(modules, '.bin')],
  compileCache: join(modules, '.cache', 'compiled'),
});
