import { type Cell, cellKey, type Sample, usable } from './sample.ts';

/** Cells of a plan without a usable sample: they have no result. */
export function cellsWithoutSamples(cells: readonly Cell[], samples: readonly Sample[]): Cell[] {
  const known = new Set(usable(samples).map((sample) => cellKey(sample.cell)));
  return cells.filter((cell) => !known.has(cellKey(cell)));
}

/** Confirmation reads that did not confirm the disk cache: flagged, or with an attribution that is not certain. */
export function unconfirmedReads(samples: readonly Sample[]): Sample[] {
  return samples.filter(isUnconfirmed);
}

/** Whether a sample is a confirmation read that did not confirm the disk cache. */
export function isUnconfirmed({ kind, flags, attribution }: Sample): boolean {
  return kind === 'companion' && (flags.length > 0 || attribution.confidence !== 'certain');
}
