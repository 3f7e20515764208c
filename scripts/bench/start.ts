import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { findProgram } from '../../harness/environment/setup/programs.mjs';

const root = join(import.meta.dirname, '../..');
const rounds = 9;
/** The user's Node, with which `npm run` starts; this program runs on one that is fit. */
const node = process.env['npm_node_execpath'] ?? process.execPath;
/** The start looks for its program among those of the installed packages. */
const nothing = relative(join(root, 'node_modules/.bin'), findProgram('true') ?? '/bin/true');

const programs = {
  'node -e 0': ['-e', '0'],
  'scripts/start.mjs': [join(root, 'scripts/start.mjs'), nothing],
};
type Name = keyof typeof programs;

/** What a program took, by bash's `time`, ms. */
interface Taken {
  wallMs: number;
  processorMs: number;
}

function taken(words: readonly string[]): Taken {
  const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', node, ...words];
  const { stderr } = spawnSync('bash', timed, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [wall = NaN, user = NaN, system = NaN] = (stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
  return { wallMs: wall, processorMs: user + system };
}

/** The time of the start's own checks, to the program that it starts, which here does nothing. */
export async function measureStart(): Promise<void> {
  const names = Object.keys(programs) as Name[];
  const times: Record<Name, Taken[]> = { 'node -e 0': [], 'scripts/start.mjs': [] };
  for (let round = 0; round < rounds; round++)
    for (const name of names) times[name].push(taken(programs[name]));
  const middle = (name: Name, key: keyof Taken) =>
    median(times[name].map((each) => each[key])) ?? NaN;
  for (const name of names)
    console.log(
      `${name}: ${middle(name, 'wallMs').toFixed(0)} ms, of the processor ${middle(name, 'processorMs').toFixed(0)} ms (medians of ${rounds}, interleaved)`,
    );
  const own = (key: keyof Taken) => middle('scripts/start.mjs', key) - middle('node -e 0', key);
  console.log(
    `The start's own checks: ${own('wallMs').toFixed(0)} ms, of the processor ${own('processorMs').toFixed(0)} ms. Goal: under 300 ms.`,
  );
}
