import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import { madeUpSlice } from '@cachescope/model/fixtures/micro.ts';
import type { MicroRun } from '@cachescope/model/micro/run.ts';
import { summarizeMicro } from '@cachescope/model/micro/summary.ts';
import { expect, test, vi } from 'vitest';

// There is no browser here: the theme module reads matchMedia when it is imported, and no chart is drawn.
vi.stubGlobal('matchMedia', () => new EventTarget());
const { microFigures } = await import('./figures.ts');

const plan = { crossoverMargin: 0.1, launches: 1 };
const run = { ...madeUpBase(), plan } as unknown as MicroRun;

function captionOf(times: Partial<Record<'blink' | 'memory' | 'disk', number>>) {
  const slices = (['blink', 'memory', 'disk'] as const).map((cache) =>
    madeUpSlice({ cache }, { batchUs: [times[cache] ?? 0] }),
  );
  return microFigures(summarizeMicro(run, slices), 0.1)[0]?.caption;
}

test('the caption names as the fastest hit all that are below the resolution of the clock', () => {
  expect(captionOf({ blink: 0, memory: 5, disk: 500 })).toContain(
    'At 50 B the fastest hit comes from Blink memory (less than 0.01 ms) or Memory cache (less than 0.01 ms), the slowest from Disk cache (0.5 ms).',
  );
  expect(captionOf({ blink: 20, memory: 50, disk: 500 })).toContain(
    'the fastest hit comes from Blink memory (0.02 ms), the slowest from',
  );
  expect(captionOf({ blink: 0, memory: 0, disk: 5 })).toContain('Lower is faster.');
});
