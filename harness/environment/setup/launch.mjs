// Starts a program on a Node that is fit for it. Shared by the clone's start (scripts/start.mjs) and by the installed command
// (scripts/package/cachescope.mjs). It runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { keptPackage } from './kept-package.mjs';
import { mayInstall, missingForMeasurement, missingText, withoutRootText } from './missing.mjs';
import { broughtNode, fitVersions, startObstacle, unfitReason } from './node.mjs';
import { platformObstacle } from './platform.mjs';
import { isExecutable } from './programs.mjs';
import { rootObstacle } from './root-access.mjs';
import { remarks, temporaryDirectory } from './surroundings.mjs';
import { terminalText } from './terminal-text.mjs';

const exitEnvironment = 3;
/** git-bisect(1) takes a lower exit code of one of its steps for a bad commit (harness/commands/bisect/git-step.ts). */
const exitStepOfGit = 128;
const isStepOfGit =
  process.argv.includes('bisect') && process.argv.some((word) => /^--(against|of)(=|$)/.test(word));

/**
 * Ends the start of a program: the machine does not have what it needs.
 *
 * @param {string} message
 * @returns {never}
 */
export function fail(message, code = exitEnvironment) {
  const { isTTY, columns } = process.stderr;
  process.stderr.write(`${isTTY ? terminalText(message, columns) : message}\n`);
  process.exit(isStepOfGit ? exitStepOfGit : code);
}

/**
 * Ends the start of a command that this operating system cannot run.
 *
 * @param {readonly string[]} words The command and its arguments.
 */
export function requirePlatform(words) {
  const obstacle = platformObstacle(words);
  if (obstacle !== null) fail(`CS_SETUP_PLATFORM: ${obstacle}`);
}

/**
 * Path of a Node that is fit and starts: this one, the one that our packages bring, or one that is fetched when it is first
 * needed. Its libraries are installed where that is allowed.
 *
 * @param {object} options
 * @param {boolean} options.stripsTypes Whether the project is there as TypeScript.
 * @param {boolean} options.measures Whether the command measures: then a message names what that needs too.
 * @param {string | null} [options.fetched] Version to fetch where no package brings one; null: none is fetched.
 */
export function fitNode({ stripsTypes, measures, fetched = null }) {
  const unfit = unfitReason(stripsTypes);
  if (unfit === null) return process.execPath;
  const own = `Node ${process.version} cannot run Cachescope: ${unfit}.`;
  const path = broughtNode() ?? (fetched === null ? null : fetchedNode(fetched, own));
  if (path === null)
    fail(
      `CS_SETUP_NODE: ${own} npm brought none for ${process.platform}-${process.arch}. ` +
        `Install Node ${fitVersions} and try again.`,
    );
  const obstacle = startObstacle(path);
  if (obstacle !== null) provideLibraries(path, own, obstacle, measures);
  return path;
}

/**
 * @param {string} version
 * @param {string} own
 */
function fetchedNode(version, own) {
  const program = `node-${process.platform}-${process.arch}/bin/node`;
  const kept = keptPackage(dirname(dirname(program)), version, (modules) =>
    isExecutable(join(modules, program)),
  );
  if (!kept.isThere()) {
    process.stderr.write(`${own} Fetching Node ${version} into ${kept.folder}, once (60 MB) …\n`);
    if (!kept.fetch())
      fail(
        `CS_SETUP_NODE: npm could not fetch Node ${version} into ${kept.folder}. Where the package registry can be reached, ` +
          `type: ${kept.command.join(' ')}. Or install Node ${fitVersions} and try again.`,
      );
  }
  return join(kept.modules, program);
}

/**
 * @param {string} path
 * @param {string} own
 * @param {{ why: string; packages: string[] }} obstacle
 * @param {boolean} measures
 */
function provideLibraries(path, own, { why, packages }, measures) {
  const unusable = `${own} The Node that npm brought does not start: ${why}`;
  if (packages.length === 0)
    fail(`CS_SETUP_NODE: ${unusable}. Install Node ${fitVersions} and try again.`);
  const noRoot = rootObstacle();
  if (mayInstall(noRoot)) installWithApt(packages, 'the Node that runs Cachescope');
  const left = startObstacle(path);
  if (left === null) return;
  // One message for all: what the next step, a measurement, would need is named too.
  const all = [...new Set([...packages, ...(measures ? missingForMeasurement() : [])])];
  const { needs, message, hint } = missingText('Cachescope', all, noRoot);
  const isTold = noRoot === null || !measures;
  const lines = isTold ? [message] : [withoutRootText(noRoot, all), needs];
  const others = measures ? remarks() : [];
  fail(`CS_PACKAGES: ${[...lines, unusable, ...others, hint].join('\n')}`);
}

/**
 * Installs packages, as root or with passwordless sudo. What apt-get says goes to stderr; a failure shows in what is
 * still missing.
 *
 * @param {readonly string[]} names
 * @param {string} purpose
 */
function installWithApt(names, purpose) {
  process.stderr.write(`Installing ${names.join(', ')} (${purpose}) …\n`);
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names];
  for (const words of [['apt-get', 'update', '-qq'], install]) {
    const [program = '', ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', ...words];
    spawnSync(program, rest, { stdio: ['ignore', 'ignore', 2] });
  }
}

/**
 * Starts `command` with `node` first in PATH, passes signals on, and ends as it ends.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ node: string; compileCache: string; folders?: readonly string[] }} options
 */
export function start(command, args, { node, compileCache, folders = [] }) {
  const TMPDIR = temporaryDirectory();
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      PATH: [dirname(node), ...folders, process.env['PATH']].join(delimiter),
      // Node's own cache of compiled modules (nodejs.org/api/module.html#module-compile-cache): programs start in less time.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? compileCache,
    },
  });
  // The program decides what an interrupt means (finish the sample, save, clean up): pass it on and wait.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    fail(`CS_SETUP_START: ${command} could not be started: ${error.message}`),
  );
  child.on('exit', (code, signal) =>
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
  );
}
