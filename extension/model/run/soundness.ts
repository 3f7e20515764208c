import { type Cell, cellKey, type Sample, usable } from './sample.ts';

/** Cells of a plan from which no sample may enter the statistics: nothing is known of them. */
export function cellsWithoutSamples(cells: readonly Cell[], samples: readonly Sample[]): Cell[] {
  const known = new Set(usable(samples).map((sample) => cellKey(sample.cell)));
  return cells.filter((cell) => !known.has(cellKey(cell)));
}

/** Companion reads that did not confirm the disk cache: flagged, or not certain of their source. */
export function unconfirmedCompanions(samples: readonly Sample[]): Sample[] {
  return samples.filter(
    ({ kind, flags, attribution }) =>
      kind === 'companion' && (flags.length > 0 || attribution.confidence !== 'certain'),
  );
}
