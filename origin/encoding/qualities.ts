import { OriginError } from '../error.ts';

/** Compression level of each encoder. */
export interface Qualities {
  /** 1 to 9. */
  gzip: number;
  /** 0 to 11. */
  br: number;
  /** 1 to 19. */
  zstd: number;
  /** 5 to 11: below 5 Brotli's encoder ignores a dictionary (google/brotli#1148). */
  dcb: number;
  /** 1 to 19. */
  dcz: number;
}

/** Levels that a server would choose for encoding on demand. */
export const defaultQualities: Readonly<Qualities> = { gzip: 6, br: 5, zstd: 3, dcb: 5, dcz: 3 };

interface Range {
  min: number;
  max: number;
  /** Why no lower value is allowed, when the coding does not make it obvious. */
  reason?: string;
}

const ranges: Readonly<Record<keyof Qualities, Range>> = {
  gzip: { min: 1, max: 9 },
  br: { min: 0, max: 11 },
  // From level 20 on a zstd window exceeds the 8 MiB that every client supports (RFC 9659 section 3).
  zstd: { min: 1, max: 19 },
  dcb: { min: 5, max: 11, reason: '; below 5 Brotli ignores the dictionary' },
  dcz: { min: 1, max: 19 },
};

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}

/** One line for each quality that is not a number or out of range; empty when all are valid. */
export function qualityProblems(wanted: Partial<Record<keyof Qualities, unknown>>): string[] {
  return Object.entries(wanted).flatMap(([coding, value]) => {
    const { min, max, reason = '' } = ranges[coding as keyof Qualities];
    if (isWhole(value) && value >= min && value <= max) return [];
    return [
      `quality of ${coding} is ${String(value)}; it must be a whole number from ${min} to ${max}${reason}`,
    ];
  });
}

/**
 * Fills in defaults and checks qualities.
 *
 * @throws OriginError CS_ORIGIN_QUALITY listing every value out of range.
 */
export function checkedQualities(wanted: Partial<Qualities> = {}): Qualities {
  const qualities = { ...defaultQualities, ...wanted };
  const problems = qualityProblems(qualities);
  if (problems.length > 0) throw new OriginError('CS_ORIGIN_QUALITY', problems.join('\n'));
  return qualities;
}
