import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { delayRounding, kernelTickMs } from './delay-rounding.ts';
import type { MachineFiles } from './machine-files.ts';

function proofs(taken: [number, number][], storage: StorageKind = 'dm-delay'): DelayProof[] {
  return taken.map(([requestedDelayMs, p50Ms]) => ({
    storage,
    requestedDelayMs,
    p50Ms,
    p95Ms: p50Ms,
    when: 'before',
    reads: 8,
    throughputBytesPerSecond: null,
    off: false,
    takenAt: '',
  }));
}

/** Measured on Linux 6.12 and 6.1, with ticks of 4 ms. */
const linux612 = proofs([
  [0, 0.03],
  [1, 3.97],
  [5, 7.98],
  [20, 19.97],
  [50, 55.9],
]);
const linux61 = proofs([
  [1, 7.6],
  [5, 11],
  [20, 23],
]);

test('delays rounded to ticks are reported, with the tick if it is known', () => {
  expect(delayRounding(linux612, 4)).toBe(
    "dm-delay rounds delays up to ticks of 4 ms of the kernel's clock: 1 ms took 3.97 ms, 5 ms took 7.98 ms, 50 ms took 55.9 ms. Go by the measured delays; nbd-live does not round.",
  );
  expect(delayRounding(linux61, null)).toMatch(/ticks of 1 to 10 ms .*1 ms took 7\.6 ms/);
});

test('delays as requested are not reported, nor those of another storage, nor those that are far too long', () => {
  expect(
    delayRounding(
      proofs([
        [0, 3],
        [1, 1.2],
        [4, 3.98],
        [50, 50.3],
      ]),
      1,
    ),
  ).toBeNull();
  expect(delayRounding(proofs([[1, 3.97]], 'nbd-delay'), 4)).toBeNull();
  expect(
    delayRounding(
      proofs([
        [1, 90],
        [5, 8],
      ]),
      4,
    ),
  ).toBeNull();
  expect(delayRounding([], 4)).toBeNull();
});

test("a kernel's tick is read from its built-in configuration, or from the file beside it", () => {
  const files = (texts: Record<string, string>, own?: string): MachineFiles => ({
    text: (path) => texts[path] ?? null,
    bytes: () => (own === undefined ? null : gzipSync(own)),
    number: () => null,
    names: () => null,
  });
  const release = { '/proc/sys/kernel/osrelease': '6.1' };
  const beside = { ...release, '/boot/config-6.1': '# CONFIG_HZ_100 is not set\nCONFIG_HZ=250\n' };
  expect(kernelTickMs(files(beside))).toBe(4);
  expect(kernelTickMs(files(beside, 'CONFIG_HZ_1000=y\nCONFIG_HZ=1000\n'))).toBe(1);
  expect(kernelTickMs(files(release))).toBeNull();
});
