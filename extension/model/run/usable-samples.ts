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

/**
 * Whether a sample is a confirmation read that did not confirm the disk cache. Where something stood still during it, its
 * time does not count, but its source does.
 */
export function isUnconfirmed({ kind, flags, attribution }: Sample): boolean {
  const isFlagged = flags.some((flag) => flag !== 'suspended');
  return kind === 'companion' && (isFlagged || attribution.confidence !== 'certain');
}
