// Starts a program on a Node that is recent enough. Shared by the clone's start (start.mjs) and by the installed command
// (package/cachescope.mjs), so it must run on Node 20 and import nothing but Node itself.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';

const exitEnvironment = 3;
/** git-bisect(1) takes a lower exit code of one of its steps for a bad commit (harness/commands/bisect/git-step.ts). */
const exitStepOfGit = 128;
const isStepOfGit =
  process.argv.includes('bisect') && process.argv.some((word) => /^--(against|of)(=|$)/.test(word));

/** Ends the start of a program: the machine does not have what it needs. */
export function fail(message, code = exitEnvironment) {
  process.stderr.write(`${message}\n`);
  process.exit(isStepOfGit ? exitStepOfGit : code);
}

/** Ends the start on a system that is not Linux. */
export function requireLinux() {
  if (process.platform !== 'linux')
    fail(`CS_SETUP_PLATFORM: Cachescope runs on Linux, not on ${process.platform}.`);
}

/** True from Node 24.15 and 25.7 on: older ones ignore a Brotli dictionary without a word (nodejs/node#61763). */
function isRecent(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 24) return minor >= 15;
  if (major === 25) return minor >= 7;
  return major > 25;
}

/** Path of a Node that is recent enough: this one, or the one installed beside our packages. */
export function recentNode() {
  if (isRecent(process.versions.node)) return process.execPath;
  try {
    const name = `node-${process.platform}-${process.arch}/bin/node`;
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return fail(
      `CS_SETUP_NODE: Node ${process.version} is too old and the registry has none for ${process.platform}-${process.arch}. ` +
        'Node 24.15, 25.7 or newer is needed: install one and try again.',
    );
  }
}

/** Starts `command` with `node` first in PATH, passes signals on, and ends as it ends. */
export function start(command, args, { node, compileCache, folders = [] }) {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [dirname(node), ...folders, process.env.PATH].join(delimiter),
      // Node's own cache of compiled modules (nodejs.org/api/module.html#module-compile-cache): programs start in less time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCache,
    },
  });
  // The program decides what an interrupt means (finish the sample, save, clean up): pass it on and wait.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    fail(`CS_SETUP_START: ${command} could not be started: ${error.message}`),
  );
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
