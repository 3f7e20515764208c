import type { PageStatistics } from './statistics.ts';
import type { PageArm, PageState } from './load.ts';
import type { PageloadRun } from './run.ts';
import type { PageVerdict } from './verdicts.ts';
import { byteSize, counted, digits, milliseconds } from '../quantity.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The findings about the loads, in short sentences, the answer first. Each is computed from the data. Never empty. */
export function pageFinding(
  { page, stored }: Pick<PageloadRun, 'page' | 'stored'>,
  figures: readonly PageStatistics[],
  verdicts: readonly PageVerdict[],
): string[] {
  const known = figures.filter(({ loadMs }) => loadMs !== null);
  if (known.length === 0) return ['There is no usable load, so there is no finding.'];
  return [
    ...Array.from(
      Map.groupBy(known, ({ cell }) => cell.delayMs),
      ([delayMs, own]) => timesSentence(page, delayMs, own),
    ),
    ...dictionarySentences(known, stored),
    ...deviceSentences(known),
    ...decided(verdicts),
  ];
}

/**
 * `The page (12 resources, 1 MiB) loads in 210 ms from an empty cache, 80 ms …`: the first arm, `plain` when measured.
 */
function timesSentence(
  page: PageloadRun['page'],
  delayMs: number,
  own: readonly PageStatistics[],
): string {
  const arm = own[0]?.cell.arm ?? 'plain';
  const isSlow = own[0]?.cell.storage !== 'none';
  const where = isSlow ? `With a read delay of ${digits(delayMs)} ms the` : 'The';
  const times = own
    .filter(({ cell }) => cell.arm === arm)
    .map(({ cell, loadMs }) => `${milliseconds(loadMs)} ${stateWords[cell.state]}`);
  const bytes = page.resources.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const size = `${counted(page.resources.length, 'resource')}, ${byteSize(bytes)}`;
  return `${where} page (${size}) loads in ${list.format(times)}${armWords[arm]}.`;
}

const stateWords: Readonly<Record<PageState, string>> = {
  empty: 'from an empty cache',
  warm: 'a second time',
  relaunched: 'after a relaunch',
  cold: 'after a relaunch with the page cache dropped (cold)',
};

const armWords: Readonly<Record<PageArm, string>> = {
  plain: '',
  dictionary: ' (delivered with dictionaries)',
};

/** The effect of dictionaries on sent bytes, on stored bytes, and on bytes read from the device. */
function dictionarySentences(
  figures: readonly PageStatistics[],
  stored: PageloadRun['stored'],
): string[] {
  const inState = (state: PageState, arm: PageArm) =>
    figures.findLast(({ cell }) => cell.arm === arm && cell.state === state);
  const effects: [words: string, bytesOf: (arm: PageArm) => number | null | undefined][] = [
    ['the origin sends', (arm) => inState('empty', arm)?.sentBytes],
    ['the cache keeps', (arm) => stored.find((each) => each.arm === arm)?.storedBytes],
    ['a cold load reads from the device', (arm) => inState('cold', arm)?.deviceReadBytes],
  ];
  const parts = effects.flatMap(([words, bytesOf]) => {
    const [dictionary, plain] = [bytesOf('dictionary') ?? null, bytesOf('plain') ?? null];
    if (dictionary === null || plain === null) return [];
    return [`${words} ${byteSize(dictionary)} instead of ${byteSize(plain)}`];
  });
  return parts.length === 0 ? [] : [`With dictionaries ${list.format(parts)}.`];
}

function deviceSentences(figures: readonly PageStatistics[]): string[] {
  const last = figures.findLast(
    ({ cell, deviceReads }) => cell.state === 'cold' && deviceReads !== null,
  );
  if (!last) return [];
  const { cell, deviceReads, deviceReadBytes } = last;
  return [
    `At ${digits(cell.delayMs)} ms a cold load${armWords[cell.arm]} makes ${digits(deviceReads)} device reads of ${byteSize(deviceReadBytes)} together.`,
  ];
}

/** The decided verdicts, and one sentence with the number of undecided ones. */
function decided(verdicts: readonly PageVerdict[]): string[] {
  const known = verdicts.filter(({ outcome }) => outcome !== 'UNKNOWN');
  const open = verdicts.length - known.length;
  const what = open === 1 ? '1 comparison is' : `${open} comparisons are`;
  const more = open === 0 ? [] : [`${what} not decided; use more loads (--launches).`];
  return [...known.map(({ sentence }) => sentence), ...more];
}
