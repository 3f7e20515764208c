import { OriginError } from '../error.ts';

/** How hard each encoder tries. */
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

/** What a server that encodes on demand would choose. */
export const defaultQualities: Readonly<Qualities> = { gzip: 6, br: 5, zstd: 3, dcb: 5, dcz: 3 };

const ranges: Readonly<Record<keyof Qualities, readonly [number, number, string?]>> = {
  gzip: [1, 9],
  br: [0, 11],
  zstd: [1, 19],
  dcb: [5, 11, '; below 5 Brotli ignores the dictionary'],
  dcz: [1, 19],
};

/**
 * Completes and checks qualities.
 *
 * @throws OriginError CS_ORIGIN_QUALITY naming every value that is out of its range.
 */
export function checkedQualities(wanted: Partial<Qualities> = {}): Qualities {
  const qualities = { ...defaultQualities, ...wanted };
  const problems = Object.entries(ranges).flatMap(([coding, [min, max, reason = '']]) => {
    const value = qualities[coding as keyof Qualities];
    if (Number.isInteger(value) && value >= min && value <= max) return [];
    return [
      `quality of ${coding} is ${value}; it must be a whole number from ${min} to ${max}${reason}`,
    ];
  });
  if (problems.length > 0) throw new OriginError('CS_ORIGIN_QUALITY', problems.join('\n'));
  return qualities;
}
