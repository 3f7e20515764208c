import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from '@cachescope/model/markdown.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import type { Situation } from '@cachescope/origin/situations/situation.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import type { Played } from '../../harness/situations/play.ts';
import { recordEvidence } from '../../harness/situations/recorded-evidence.ts';
import {
  columns,
  countedAs,
  counts,
  describePlay,
  isTwice,
  playEveryWay,
  verdictOf,
} from '../../harness/situations/truth-table.ts';
import { type WatchingName, watchingNames, watchings } from '../../harness/situations/watching.ts';
import { startBusyProcesses } from '../busy-processes.ts';
import { closing } from './place.ts';

type Condition = 'quiet' | 'busy';
type Plays = ReadonlyMap<WatchingName, Played[]>;

const root = join(import.meta.dirname, '../..');
const pagePath = join(root, 'extension/README.md');
/** Processes that each keep one core busy beside the busy table. */
const busyProcesses = 2;

/** How often the verdict was right, true but coarse, unknown and wrong; then every situation. Writes the README's table. */
export const measureTruthTable = (): Promise<void> => measure('quiet');

/** The same beside two busy processes. */
export async function measureBusyTruthTable(): Promise<void> {
  const busy = startBusyProcesses(busyProcesses);
  try {
    await measure('busy');
  } finally {
    busy.end();
  }
}

async function measure(condition: Condition): Promise<void> {
  const startedAtMs = Date.now();
  const loads = [loadNow()];
  const origin = await startOrigin({ workloads: [], situations: true });
  const looking = setInterval(() => loads.push(loadNow()), 10_000);
  try {
    const plays = await playEveryWay(origin);
    const minutes = Math.round((Date.now() - startedAtMs) / 60_000);
    const table = countsTable(plays);
    const [least, most] = [Math.min(...loads), Math.max(...loads)].map(Math.round);
    const caption = `${captions[condition]} ${plays.get('page')?.length ?? 0} situations, ${minutes} minutes; load average, the browsers under test included: ${least} to ${most}.`;
    console.log(`${caption}\n\n${table}`);
    printRows(plays);
    printTroubles(plays);
    writeTable(condition, `${caption}\n\n${table}`);
  } finally {
    clearInterval(looking);
    await origin.close();
  }
}

const captions: Record<Condition, string> = {
  quiet: 'No other programs, two cores:',
  busy: `Beside ${busyProcesses} busy loops, two cores:`,
};

/** Plays the situations whose name matches a regular expression, and shows their rows. Writes no file. */
export async function showTruthTable(pattern: string): Promise<void> {
  const origin = await startOrigin({ workloads: [], situations: true });
  await using _ = closing(origin);
  const plays = await playEveryWay(origin, () => named(pattern));
  console.log(countsTable(plays));
  printRows(plays);
  printTroubles(plays);
}

/** Of the last minute. */
function loadNow(): number {
  return loadavg()[0] ?? 0;
}

/**
 * Plays every situation, or those whose name matches, in every way to watch, and keeps the evidence for
 * `harness/situations/sharpening.test.ts`.
 */
export async function recordTruthTable(pattern = ''): Promise<void> {
  const origin = await startOrigin({ workloads: [], situations: true });
  await using _ = closing(origin);
  recordEvidence(await playEveryWay(origin, () => named(pattern)));
}

function named(pattern: string): readonly Situation[] {
  const name = new RegExp(pattern);
  return situations.filter((situation) => name.test(situation.name));
}

function countsTable(plays: Plays): string {
  const rows = watchingNames.map((name) => {
    const counted = counts(plays.get(name) ?? []);
    return [watchings[name].title, ...columns.map((each) => `${counted[each]}`)];
  });
  return markdownTable(['watched by', ...columns], rows, 1).trimEnd();
}

/** Puts the table between its marks in the README, and formats that. */
function writeTable(condition: Condition, text: string): void {
  const [begin, end] = [`<!-- truth table, ${condition} -->`, `<!-- end, ${condition} -->`];
  const page = readFileSync(pagePath, 'utf8');
  const [before, rest = ''] = page.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`${pagePath} has no ${begin} with ${end} after it`);
  writeFileSync(pagePath, `${before}${begin}\n\n${text}\n\n${end}${after}`);
  execFileSync(join(root, 'node_modules/.bin/oxfmt'), [pagePath]);
}

function printRows(plays: Plays): void {
  const titles = watchingNames.map((name) => watchings[name].title);
  const rows = (plays.get('page') ?? []).map(({ situation }, row) => {
    const cells = watchingNames.map((name) => cell(plays.get(name)?.[row]));
    return [situation.name, situation.truth.answer, ...cells];
  });
  console.log(`\n${markdownTable(['situation', 'truth', ...titles], rows)}`);
}

/** What was right, or the column with the verdict where they differ from the truth. */
function cell(played: Played | undefined): string {
  if (!played) return '';
  const counted = countedAs(played);
  const said =
    counted === 'coarse' || counted === 'wrong' ? `${counted}: ${verdictOf(played)}` : counted;
  return isTwice(played) ? `${said}, ${played.rows.length} rows` : said;
}

/** What a reader has to look into, with the statements of the witnesses. */
function printTroubles(plays: Plays): void {
  const troubles = [...plays.values()]
    .flat()
    .filter((each) => each.judgement === null || each.judgement === 'wrong' || isTwice(each));
  for (const each of troubles) console.log(describePlay(each));
}
