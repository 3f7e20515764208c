import type { PageFigure } from './pageload-figure.ts';
import { type PageArm, pageArmLabels, type PageState, pageStateLabels } from './pageload-load.ts';
import type { Page } from './pageload-page.ts';
import type { PageVerdict } from './pageload-verdicts.ts';
import { byteSize, counted, digits, milliseconds } from './quantity.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What follows from the loads, in short sentences, the answer first. Each is computed from the data. Never empty. */
export function pageFinding(
  page: Page,
  figures: readonly PageFigure[],
  verdicts: readonly PageVerdict[],
): string[] {
  const known = figures.filter(({ loadMs }) => loadMs !== null);
  if (known.length === 0) return ['No load could be used, so nothing can be said.'];
  return [
    ...[...Map.groupBy(known, ({ cell }) => cell.delayMs)].flatMap(([delayMs, own]) =>
      timesSentence(page, delayMs, own),
    ),
    ...dictionarySentences(known),
    ...deviceSentences(known),
    ...decided(verdicts),
  ];
}

/** `The page loads in 210 ms from an empty cache, 80 ms …`, plain arm first. */
function timesSentence(page: Page, delayMs: number, own: readonly PageFigure[]): string[] {
  const arm = own[0]?.cell.arm ?? 'plain';
  const isSlow = own[0]?.cell.storage !== 'none';
  const where = isSlow ? `With a read delay of ${digits(delayMs)} ms the` : 'The';
  const times = own
    .filter(({ cell }) => cell.arm === arm)
    .map(({ cell, loadMs }) => `${milliseconds(loadMs)} ${stateWords[cell.state]}`);
  const bytes = page.resources.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const size = `${counted(page.resources.length, 'resource')}, ${byteSize(bytes)}`;
  return [`${where} page (${size}) loads in ${list.format(times)}${armWords[arm]}.`];
}

const stateWords: Readonly<Record<PageState, string>> = {
  empty: 'from an empty cache',
  warm: 'a second time',
  relaunched: 'after a relaunch',
  cold: 'after a relaunch with the page cache dropped',
};

const armWords: Readonly<Record<PageArm, string>> = {
  plain: '',
  dictionary: ' (delivered with dictionaries)',
};

/** What dictionaries save on the way, and what they cost when read back. */
function dictionarySentences(figures: readonly PageFigure[]): string[] {
  const of = (arm: PageArm, state: PageState) =>
    figures.findLast(({ cell }) => cell.arm === arm && cell.state === state);
  const [plain, dictionary] = [of('plain', 'empty'), of('dictionary', 'empty')];
  if (plain?.sentBytes === undefined || plain.sentBytes === null || !dictionary) return [];
  const sent = `Dictionaries take what the origin sends for an empty cache from ${byteSize(plain.sentBytes)} to ${byteSize(dictionary.sentBytes)}`;
  const [read, decodedRead] = [of('plain', 'cold'), of('dictionary', 'cold')];
  const bytes = read?.deviceReadBytes ?? null;
  const decodedBytes = decodedRead?.deviceReadBytes ?? null;
  if (bytes === null || decodedBytes === null) return [`${sent}.`];
  return [
    `${sent}; a cold load then reads ${byteSize(decodedBytes)} from the device instead of ${byteSize(bytes)}, because such responses are stored decoded.`,
  ];
}

function deviceSentences(figures: readonly PageFigure[]): string[] {
  const cold = figures.filter(
    ({ cell, deviceReads }) =>
      cell.state === 'cold' && cell.arm === 'plain' && deviceReads !== null,
  );
  const last = cold.at(-1);
  if (!last) return [];
  const label = `${pageStateLabels.cold.toLowerCase()}, ${pageArmLabels.plain.toLowerCase()}`;
  return [
    `A load (${label}) makes ${digits(last.deviceReads)} device reads of ${byteSize(last.deviceReadBytes)} together.`,
  ];
}

/** Verdicts that are known, and in one sentence how many are not. */
function decided(verdicts: readonly PageVerdict[]): string[] {
  const known = verdicts.filter(({ outcome }) => outcome !== 'UNKNOWN');
  const open = verdicts.length - known.length;
  const sentences = known.map(({ sentence }) => sentence);
  if (open === 0) return sentences;
  const what = open === 1 ? '1 comparison is' : `${open} comparisons are`;
  return [...sentences, `${what} not decided; more loads (--launches) would tell.`];
}
