import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { afterAll, expect, test } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { madeUpExplore } from '@cachescope/model/fixtures/made-up-explore.ts';
import { CachescopeError } from '../../error.ts';
import { createPrivilege } from '../../privilege.ts';
import { Progress } from '../../lab/progress.ts';
import { savedExplore } from '@cachescope/model/explore/run.ts';
import { RunDirectory } from '../../results/run-directory.ts';
import { writeProbeFile } from '../../storage/direct-read.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import { ExploreLab } from './lab.ts';
import { ExploreRecord } from './record.ts';

const base = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
afterAll(() => rmSync(base, { recursive: true }));

/** A lab over a directory in place of a disk; its browser is never opened. */
async function labOver(kind: StorageKind, setDelay: SlowDisk['setDelay'], canDropPageCache = true) {
  await writeProbeFile(base);
  const { run } = madeUpExplore();
  const nothing = () => Promise.resolve();
  const progress = new Progress(0, { write: () => undefined });
  const warn = (sentence: string) => void run.warnings.push(sentence);
  const record = new ExploreRecord({ run, keep: nothing, save: nothing, warn, progress });
  record.begin();
  let reads = 0;
  const disk: SlowDisk = {
    kind,
    directory: base,
    describe: 'a directory',
    counters: () =>
      Promise.resolve({
        reads: (reads += 100),
        readBytes: 0,
        writes: 0,
        writtenBytes: 0,
        inFlight: 0,
      }),
    setDelay,
    detach: () => Promise.resolve(),
  };
  const launch = {
    executablePath: 'chromium',
    extensionDirectory: '',
    profileDirectory: '',
    cacheDirectory: join(base, 'cache'),
    headful: false,
  };
  const privilege = createPrivilege({ dryRun: true, say: () => undefined });
  const cacheBytes = () => Promise.resolve(0);
  const lab = new ExploreLab({ disk, launch, privilege, canDropPageCache, cacheBytes, record });
  return { lab, run, actions: record.actions };
}

test('a live delay changes while the browser runs, is verified, and is recorded with its time', async () => {
  const told: number[] = [];
  const { lab, actions } = await labOver('dm-delay', async (delayMs) => {
    told.push(delayMs);
  });
  const answer = await lab.setDelay({ delayMs: 0 });
  expect(answer).toMatchObject({ willRestart: false, state: { delayMs: 0, isLive: true } });
  expect(told).toEqual([0]);
  expect(actions).toMatchObject([{ kind: 'delay', delayMs: 0 }]);
  expect(actions[0]).not.toHaveProperty('problem');
});

test.each([
  ['CS_STORAGE_BUSY', 0],
  ['CS_STORAGE_DM', null],
] as const)('after %s the delay is the unchanged one, or unknown', async (code, delayMs) => {
  const { lab, run, actions } = await labOver('dm-delay', async (asked) => {
    if (asked > 0) throw new CachescopeError(code, 'it could not be changed');
  });
  await lab.setDelay({ delayMs: 0 });
  await expect(lab.setDelay({ delayMs: 5 })).rejects.toMatchObject({ code: 'CS_LAB_FAILED' });
  expect(await lab.state()).toMatchObject({
    delayMs,
    busyWith: null,
    lastProblem: 'it could not be changed',
  });
  expect(actions[1]).toMatchObject({ delayMs, problem: 'it could not be changed' });
  // A directory that is slow to read adds its own warning.
  const warnings = run.warnings.filter((warning) => warning.includes('it could not be changed'));
  expect(warnings).toHaveLength(1);
});

test('a second request during an action is rejected, and names the action in progress', async () => {
  const gate = Promise.withResolvers<void>();
  const { lab } = await labOver('dm-delay', () => gate.promise);
  const first = lab.setDelay({ delayMs: 0 });
  await expect(lab.dropPageCache()).rejects.toMatchObject({
    code: 'CS_LAB_BUSY',
    message: expect.stringContaining('setting the read delay to 0 ms'),
  });
  expect(await lab.state()).toMatchObject({ delayMs: null, measuredDelayMs: null });
  gate.resolve();
  await first;
});

test('an action that this lab cannot do is rejected without being tried', async () => {
  const { lab, actions } = await labOver('none', () => Promise.reject(new Error()), false);
  await expect(lab.setDelay({ delayMs: 1 })).rejects.toMatchObject({ code: 'CS_LAB_DELAY' });
  await expect(lab.dropPageCache()).rejects.toMatchObject({ code: 'CS_LAB_PRIVILEGE' });
  await expect(lab.relaunch()).rejects.toMatchObject({ code: 'CS_LAB_PRIVILEGE' });
  expect(actions).toEqual([]);
  expect(await lab.state()).toMatchObject({ delayMs: null, backEnd: 'none', isLive: false });
});

test.each([false, true])('credentials reach the disk only when they are kept: %s', async (keep) => {
  const { run } = madeUpExplore();
  const path = join(base, `credentials-${keep}`);
  const directory = await RunDirectory.create(path, savedExplore);
  const record = new ExploreRecord(
    {
      run,
      keep: (line) => directory.append(line),
      save: () => Promise.resolve(),
      warn: (sentence) => void run.warnings.push(sentence),
      progress: new Progress(0, { write: () => undefined }),
    },
    keep,
  );
  record.begin();
  const load = madeUpLoad({ count: 1 });
  const [resource] = load.resources;
  if (!resource) throw new Error('no resource was made up');
  const names = ['Cookie', 'Authorization', 'Proxy-Authorization'];
  resource.requestHeaders = names.map((name) => [name, `secret of ${name}`]);
  resource.responseHeaders = [['Set-Cookie', 'secret of Set-Cookie']];
  await record.saveLoad(load);
  const text = readFileSync(join(path, 'loads.ndjson'), 'utf8');
  expect(text.match(/secret of/g)?.length ?? 0).toBe(keep ? 4 : 0);
  expect(run.warnings.some((warning) => warning.includes('--keep-credentials'))).toBe(keep);
  expect(statSync(join(path, 'loads.ndjson')).mode & 0o777).toBe(0o600);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
