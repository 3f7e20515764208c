import type { Ended } from './chroot.ts';
import { makeMachine } from './machine.ts';
import { type Release, type User, userTitles } from './release.ts';

/** The README's first command, with few samples. */
const firstCommand = 'npm run sweep -- --delays 5 --samples 4 --launches 2';
/** What the message without root names, with the same samples. */
const controlCommand = 'npm run sweep -- --storage none --samples 4 --launches 2';

/** What happened on one machine. */
export interface Trial {
  release: Release;
  user: User;
  /** What `node --version` says. */
  node: string;
  /** In a phrase: the result, or what the user had to do. */
  outcome: string;
  /** From the start of the first command to the first result, s; for a user without sudo to the message. */
  seconds: number;
  /** What differs from what is expected; empty: nothing. */
  problems: string[];
  /** The message of the first command without root. */
  message: string;
}

const loads = /(\d+)\s+reads\s+in\s.*none\s+flagged/s;

/** The problems of a run that should have measured. */
function runProblems(command: string, { code, stdout, stderr }: Ended): string[] {
  const said = `\n${stderr.slice(-3000)}`;
  if (code !== 0) return [`${command} ended with ${code}${said}`];
  return /^control /m.test(stdout) ? [] : [`${command} printed no result${said}`];
}

/** Makes a machine, runs the first command there as its user, and removes the machine. */
export async function tryFirstCommand(
  release: Release,
  user: User,
  { base, place }: { base: string; place: string },
): Promise<Trial> {
  const machine = await makeMachine(base, user, place);
  try {
    const first = await machine.run(firstCommand);
    const known = { release, user, node: machine.node, seconds: first.seconds };
    if (user !== 'none') {
      const used = loads.exec(first.stdout)?.[1];
      const outcome = used === undefined ? 'a result' : `a result from ${used} reads`;
      return { ...known, outcome, problems: runProblems(firstCommand, first), message: '' };
    }
    const message = setupMessage(first.stderr);
    const problems = messageProblems(release, machine.node, first, message);
    const [, typed] = /Type as root: (.*)$/m.exec(message) ?? [];
    if (typed === undefined || problems.length > 0)
      return { ...known, outcome: 'not the message', problems, message };
    const installed = await machine.runAsRoot(typed);
    if (installed.code !== 0) problems.push(`${typed} ended with ${installed.code}`);
    const control = await machine.run(controlCommand);
    problems.push(...runProblems(controlCommand, control));
    const outcome = 'exit code 3, one command for root; after it, the control';
    return { ...known, outcome, problems, message };
  } finally {
    machine.remove();
  }
}

/** What the start said, from its error code on. */
function setupMessage(stderr: string): string {
  return /^CS_[\s\S]*/m.exec(stderr)?.[0].trim() ?? stderr;
}

/** Packages that a machine of the release lacks for Node and for a measurement, in the order of the message. */
const lacking: Readonly<Record<Release, readonly string[]>> = {
  bookworm: [],
  trixie: ['e2fsprogs'],
  sid: ['e2fsprogs'],
};
const always = ['nbdkit', 'libnbd-bin', 'nbdkit-plugin-python', 'chromium', 'chromium-sandbox'];

/** The whole message for a user without sudo: golden, as a new user reads it. */
function expectedMessage(release: Release, node: string): string {
  const packages = ['libatomic1', ...lacking[release], ...always];
  const unfit =
    release === 'sid' ? 'it was built without type stripping' : '24.15, 25.7 or newer is needed';
  return [
    'CS_PACKAGES: without root the control, the panel and the analysis run when the packages below are installed: npm run sweep -- --storage none, npm run explore -- --storage none, npm run micro, npm run report. A slow disk needs root, and there is no sudo',
    `Cachescope needs ${packages.join(', ')}`,
    `Node ${node} cannot run Cachescope: ${unfit}. The Node that npm brought does not start: it needs libatomic.so.1`,
    `One command installs all of it. Type as root: apt-get update && apt-get install --yes --no-install-recommends ${packages.join(' ')}`,
  ].join('\n');
}

function messageProblems(
  release: Release,
  node: string,
  { code }: Ended,
  message: string,
): string[] {
  const expected = expectedMessage(release, node);
  return [
    ...(code === 3 ? [] : [`${firstCommand} ended with ${code} instead of 3`]),
    ...(message === expected ? [] : [`the message is:\n${message}\nand not:\n${expected}`]),
  ];
}

/** One row of the table in install.md. */
export function trialRow({ release, user, node, outcome, seconds, problems }: Trial): string[] {
  const minutes = `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`;
  return [release, userTitles[user], node, problems.length === 0 ? outcome : 'failed', minutes];
}
