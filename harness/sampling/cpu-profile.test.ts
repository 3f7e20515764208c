import type { Profiler } from 'node:inspector/promises';
import { expect, test } from 'vitest';
import { moduleOf, startCpuProfile, summarizeProfile } from './cpu-profile.ts';

function frame(id: number, functionName: string, url: string): Profiler.ProfileNode {
  const callFrame = { functionName, url, scriptId: '1', lineNumber: 1, columnNumber: 1 };
  return { id, callFrame };
}

test('shares are of the sampled time, by module and function', () => {
  const nodes = [
    frame(1, '(idle)', ''),
    frame(2, 'encode', 'file:///x/origin/encoding/encoder.ts'),
    frame(3, '', 'file:///x/origin/encoding/encoder.ts'),
    frame(4, 'reply', 'file:///x/node_modules/.pnpm/fastify@5/node_modules/fastify/lib/reply.js'),
  ];
  const profile = {
    nodes,
    startTime: 1_000_000,
    endTime: 1_010_000,
    samples: [1, 2, 3, 4, 2],
    // The first is the time from the start to the first sample; each other one belongs to the sample before it.
    timeDeltas: [500, 4000, 3000, 1000, 2000],
  };
  expect(summarizeProfile(profile)).toEqual({
    spanMs: 10,
    shares: [
      { module: '(idle)', share: 0.4, functions: [{ name: '(idle)', share: 0.4 }] },
      {
        module: 'origin/encoding/encoder.ts',
        share: 0.4,
        functions: [
          { name: 'encode', share: 0.3 },
          { name: '(anonymous)', share: 0.1 },
        ],
      },
      { module: 'fastify', share: 0.2, functions: [{ name: 'reply', share: 0.2 }] },
    ],
  });
});

test('an empty profile has no shares', () => {
  expect(summarizeProfile({ nodes: [], startTime: 0, endTime: 0 })).toEqual({
    spanMs: 0,
    shares: [],
  });
});

test.each([
  ['', '(garbage collector)', '(garbage collector)'],
  ['', '(program)', '(native)'],
  ['node:internal/http2/core', 'emit', 'node:internal/http2/core'],
  [
    'file:///a/node_modules/.pnpm/x/node_modules/@fastify/busboy/lib/main.js',
    'f',
    '@fastify/busboy',
  ],
  ['file:///a/harness/sampling/pace.ts', 'take', 'harness/sampling/pace.ts'],
])('the module of %s %s', (url, functionName, module) => {
  expect(moduleOf({ url, functionName })).toBe(module);
});

test('a function that keeps this thread busy has most of the time of its file', async () => {
  const profile = await startCpuProfile();
  (function keepBusy() {
    // Processor time: V8's sampling rate depends on the other load of the machine.
    const { user } = process.cpuUsage();
    let sum = 0;
    while (process.cpuUsage().user - user < 100_000) {
      for (let i = 0; i < 100_000; i++) sum += Math.sqrt(i);
    }
    return sum;
  })();
  const { spanMs, shares } = await profile.stop();
  expect(spanMs).toBeGreaterThan(0);
  const own = shares.find(({ module }) => module === 'harness/sampling/cpu-profile.test.ts');
  expect(own?.functions[0]?.name).toBe('keepBusy');
});
