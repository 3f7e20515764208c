import { greatest } from '../extremes.ts';
import { microCacheLabels } from './cache.ts';
import type { Crossover } from './crossover.ts';
import type { MicroStatistics } from './statistics.ts';
import { conditionLabel, isIndexLoaded, loadLabel, searchLabel } from './label.ts';
import { byteSize, milliseconds, percent } from '../quantity.ts';

/** The data of the sentences. */
interface Measured {
  figures: readonly MicroStatistics[];
  crossovers: readonly Crossover[];
  /** Relative difference from memory above which disk is clearly slower. */
  margin: number;
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The findings of the micro-benchmarks, in short sentences. Each is computed from the data. Never empty. */
export function microFinding({ figures, crossovers, margin }: Measured): string[] {
  const sentences = [
    ...hitSentences(figures),
    ...listSentence(figures),
    ...crossovers.map((crossover) => crossoverSentence(crossover, margin)),
    ...searchSentences(figures),
  ];
  if (sentences.length > 0) return sentences;
  return figures.some(({ medianMs }) => medianMs !== null)
    ? ['The tables hold all measurements; no two of them can be compared.']
    : ['There is no usable iteration, so there is no finding.'];
}

/** A median in a sentence; one below the clock's resolution is shown as an upper bound. */
function medianWords({ medianMs, belowResolution, resolutionMs }: MicroStatistics): string {
  return belowResolution ? `less than ${milliseconds(2 * resolutionMs)}` : milliseconds(medianMs);
}

/** The time of a hit in each cache, at the smallest and the largest size, beside a miss. */
function hitSentences(figures: readonly MicroStatistics[]): string[] {
  const own = figures.filter(({ cell }) => cell.part === 'table');
  const sizes = [...new Set(own.map(({ cell }) => cell.bytes))].toSorted((a, b) => a - b);
  const ends = [...new Set([sizes[0], sizes.at(-1)])].filter((bytes) => bytes !== undefined);
  return ends.flatMap((bytes) => {
    const of = (row: string) =>
      own.filter(
        ({ cell, medianMs }) => cell.bytes === bytes && cell.row === row && medianMs !== null,
      );
    const hits = of('hit').map(
      (figure) => `${medianWords(figure)} (${microCacheLabels[figure.cell.cache]})`,
    );
    if (hits.length === 0) return [];
    const miss = of('miss-uncacheable').find(({ cell }) => cell.cache === 'none');
    const beside = miss ? `; from the server, without a cache, ${medianWords(miss)}` : '';
    return [`A hit of ${byteSize(bytes)} takes ${list.format(hits)}${beside}.`];
  });
}

/** The time of one resource of the largest list from the disk cache, by the state before the load. */
function listSentence(figures: readonly MicroStatistics[]): string[] {
  const own = figures.filter(({ cell }) => cell.part === 'list' && cell.cache === 'disk');
  const largest = greatest(own.map(({ cell }) => cell.bytes));
  const known = own.filter(({ cell, medianMs }) => cell.bytes === largest && medianMs !== null);
  const hits = known
    .filter(({ cell }) => cell.row === 'hit')
    .map((figure) => `${medianWords(figure)} (${loadLabel(figure.cell)})`);
  const first = known.find(({ cell }) => cell.row !== 'hit');
  if (hits.length === 0 || !first) return [];
  return [
    `One of a list of resources of ${byteSize(largest)} takes ${medianWords(first)} from the server, and from the disk cache ${list.format(hits)}.`,
  ];
}

/** The result of one crossover search as a sentence. */
export function crossoverSentence(crossover: Crossover, margin: number): string {
  const { answer, bytes, lowBytes, highBytes, sizes } = crossover;
  const slower = `more than ${percent(margin)} slower than memory`;
  const where = conditionLabel(crossover);
  const smallest = byteSize(sizes[0]?.bytes ?? null);
  const largest = byteSize(sizes.at(-1)?.bytes ?? null);
  if (answer === 'at all sizes')
    return `${where}, the disk is ${slower} at all sizes from ${smallest} on.`;
  if (answer === 'at smaller sizes') {
    const shown = sizes.filter(({ outcome }) => outcome === 'slower');
    const smaller = list.format(shown.map((size) => byteSize(size.bytes)));
    return `${where}, the disk is ${slower} at ${smaller}; at the largest size, ${largest}, it is not shown to be.`;
  }
  if (answer === 'at no size')
    return `${where}, the disk is not shown to be ${slower} at any size up to ${largest}.`;
  if (bytes === null || lowBytes === null)
    return `${where}, the disk is ${slower} from some size below ${byteSize(highBytes)} on.`;
  const between = `between ${byteSize(lowBytes)} and ${byteSize(highBytes)}`;
  return `${where}, the disk is ${slower} from about ${byteSize(bytes)} on: the size lies ${between}.`;
}

/**
 * Time of a search for an absent key, from the emptiest to the fullest cache. Excludes Blink: it fetches an absent
 * resource from the server, so its time is not only that of a search.
 */
function searchSentences(figures: readonly MicroStatistics[]): string[] {
  const absent = figures.filter(
    ({ cell, medianMs }) =>
      cell.part === 'search' &&
      cell.row === 'absent' &&
      cell.cache !== 'blink' &&
      isIndexLoaded(cell) &&
      medianMs !== null,
  );
  return [...Map.groupBy(absent, ({ cell }) => searchLabel(cell)).entries()].flatMap(
    ([name, own]) => {
      const rising = own.toSorted((a, b) => (a.cell.entries ?? 0) - (b.cell.entries ?? 0));
      const [first, last] = [rising[0], rising.at(-1)];
      if (!first || !last || first === last) return [];
      const count = (figure: MicroStatistics) => (figure.cell.entries ?? 0).toLocaleString('en-US');
      return [
        `${name}: searching for an absent key takes ${medianWords(first)} among ${count(first)} entries and ${medianWords(last)} among ${count(last)}.`,
      ];
    },
  );
}
