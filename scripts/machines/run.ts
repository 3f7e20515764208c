// npm run test:machines: makes new machines (chroots) of Debian's releases with only Node and npm, runs the README's first
// command there as root, as a user with passwordless sudo and as one without, and checks result or message. With all releases it
// writes the table of harness/docs/install.md. Ends with 77 and the reason where no machine can be made.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../docs/table.ts';
import { benchObstacle, sharedDevices, tryRelease } from './bench.ts';
import { type Release, releases, users } from './release.ts';
import { type Trial, trialRow } from './trial.ts';

const skipped = 77;
const page = join(import.meta.dirname, '../../harness/docs/install.md');
const section = /(<!-- npm run test:machines -->)[\s\S]*?(<!-- end -->)/;

const head = ['Debian', 'user', 'its Node', 'first command', 'min:s'];

const say = (line: string) => console.error(line);

function isRelease(word: string): word is Release {
  return (releases as readonly string[]).includes(word);
}

function writeTable(trials: readonly Trial[]): void {
  const text = `\n\n${table(head, trials.map(trialRow))}\n\nMachines are chroots, which deny user namespaces. They see the devices of the computer: ${sharedDevices()}.\n\n`;
  const now = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    now.replace(section, (_all, begin: string, end: string) => begin + text + end),
  );
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { bases: { type: 'string' } },
  });
  const unknown = positionals.filter((word) => !isRelease(word));
  if (unknown.length > 0) {
    say(
      `Unknown: ${unknown.join(', ')}. npm run test:machines -- [${releases.join('] [')}] [--bases DIR, which keeps installed bases]`,
    );
    return 2;
  }
  const obstacle = await benchObstacle(say);
  if (obstacle !== null) {
    console.log(`Skipped: no machine can be made here (${obstacle})`);
    return skipped;
  }
  const wanted = positionals.length === 0 ? releases : positionals.filter(isRelease);
  const trials: Trial[] = [];
  for (const release of wanted)
    trials.push(...(await tryRelease(release, users, { say, ...values })));
  console.log(table(head, trials.map(trialRow)));
  const problems = trials.flatMap((trial) =>
    trial.problems.map((problem) => `${trial.release}, ${trial.user}: ${problem}`),
  );
  for (const problem of problems) console.log(problem);
  if (problems.length === 0 && wanted.length === releases.length) writeTable(trials);
  return problems.length === 0 ? 0 : 1;
}

// At its exit it ends what it runs in machines, and removes them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(130));

process.exit(await main());
