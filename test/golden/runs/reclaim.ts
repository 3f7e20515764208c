import {
  madeUpPass,
  madeUpReclaimRun,
  madeUpReclaimWindow,
} from '@cachescope/model/fixtures/reclaim.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';

/** 24 windows, one eviction pass, one CPU profile. */
export function reclaim(): RunDocument {
  const windows = Array.from({ length: 24 }, (_, second) =>
    madeUpReclaimWindow(second, {
      latencyMs: second === 12 ? 4 : 1,
      entries: second < 12 ? 500 + 40 * second : 700,
      bytes: second === 3 ? null : 512_000,
    }),
  );
  const example = { key: '/7', bytes: 1024, ageMs: 9000, idleMs: 4000, uses: 3 };
  return {
    run: madeUpReclaimRun({ timeMs: 24_000 }),
    lines: [
      ...windows,
      madeUpPass(12_500, { examples: [example, { ...example, key: '/8', bytes: null }] }),
      {
        kind: 'cpu-profile',
        sequence: 20_000,
        atMs: 5000,
        spanMs: 2000,
        shares: [
          { module: 'node:zlib', functions: [{ name: 'brotli', share: 0.4 }], share: 0.5 },
          { module: '(idle)', functions: [{ name: '(idle)', share: 0.3 }], share: 0.3 },
        ],
      },
    ],
  };
}
