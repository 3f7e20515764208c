import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Progress } from '../lab/progress.ts';
import type { Privilege } from '../privilege.ts';
import { quantilesOf, recordProfile } from './profile-recording.ts';

function fileOf(bytes: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'recording-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'a:b');
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return path;
}

/** A fake fio that returns made-up counts; it records the arguments that it was called with. */
function fakeFio(bins: Record<string, number>) {
  const calls: string[][] = [];
  const read = { bw_bytes: 5e8, clat_ns: { bins } };
  const answer = JSON.stringify({ 'fio version': 'fio-3.33', jobs: [{ read }] });
  const run = (argv: readonly string[]) => {
    calls.push([...argv]);
    return Promise.resolve(answer);
  };
  return { calls, privilege: { run } };
}

const silent = { write: () => undefined };
const progress = new Progress(0, silent);

/** A device whose counter grows by this many reads from one reading to the next. */
function counting(reads: number) {
  let counted = 0;
  return () => Promise.resolve((counted += reads));
}

test('quantiles follow the counts in any order', () => {
  const found = quantilesOf([
    ['9000000', 100],
    ['1000000', 900],
  ]);
  expect(found).toHaveLength(1001);
  expect([found[0], found[500], found[899], found[901], found[1000]]).toEqual([1, 1, 1, 9, 9]);
});

test('a recording only reads, names its source, and keeps latencies and bandwidth', async () => {
  const { calls, privilege } = fakeFio({ '100000': 3, '200000': 1 });
  const profile = await recordProfile(fileOf(2 ** 26), 10, privilege, progress, counting(4));
  expect(profile).toMatchObject({
    name: 'a:b',
    source: expect.stringMatching(/^fio-3\.33, 4 direct 4 KiB reads at random places of /),
    bandwidthBytesPerSecond: 5e8,
  });
  expect(calls).toHaveLength(2);
  for (const words of calls) {
    expect(words).toEqual(expect.arrayContaining(['--readonly', '--allow_file_create=0']));
    expect(words.find((word) => word.startsWith('--filename='))).toMatch(/a\\:b$/);
    expect(words.filter((word) => word.startsWith('--rw='))).not.toContainEqual(
      expect.stringMatching(/write|rw=rw/),
    );
  }
});

test('a long recording is of short runs, each of other blocks, and keeps the latencies of all', async () => {
  const { calls, privilege } = fakeFio({ '100000': 3, '200000': 1 });
  const profile = await recordProfile(fileOf(2 ** 26), 95, privilege, progress, counting(40));
  const lengths = calls.map((words) => words.find((word) => word.startsWith('--runtime=')));
  const seconds = [...Array<number>(9).fill(10), 5, 10];
  expect(lengths).toEqual(seconds.map((each) => `--runtime=${each}`));
  for (const words of calls.slice(0, -1)) expect(words).toContain('--randrepeat=0');
  expect(profile.source).toContain('40 direct 4 KiB reads');
});

test('a file whose reads its device does not count is refused: it was never written', async () => {
  const { privilege } = fakeFio({ '1000': 100 });
  await expect(recordProfile(fileOf(2 ** 26), 1, privilege, progress, counting(3))).rejects.toThrow(
    /100 times, and its device counts 3 reads: parts of the file were never written/,
  );
  await recordProfile(fileOf(2 ** 26), 1, privilege, progress, () => Promise.resolve(null));
});

test('paths that cannot be measured are refused before fio starts', async () => {
  const { calls, privilege } = fakeFio({});
  await expect(recordProfile(tmpdir(), 1, privilege, progress)).rejects.toThrow(
    /neither a file nor/,
  );
  await expect(recordProfile(fileOf(1000), 1, privilege, progress)).rejects.toThrow(
    /has 1000 bytes/,
  );
  expect(calls).toEqual([]);
  await expect(recordProfile(fileOf(2 ** 26), 1, privilege, progress)).rejects.toThrow(
    /counted no read/,
  );
});

test('Ctrl-C ends fio', async () => {
  const run: Privilege['run'] = (_argv, { signal } = {}) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      process.emit('SIGINT');
    });
  const recording = recordProfile(fileOf(2 ** 26), 3600, { run }, progress, counting(0));
  await expect(recording).rejects.toMatchObject({ code: 'CS_STORAGE_RECORD', exitCode: 130 });
});
