import { expect, test } from 'vitest';
import { createPrivilege } from '../privilege.ts';
import type { Experiment, Kinds, Tools } from './experiment.ts';
import { fill } from './fill/experiment.ts';
import { reclaim } from './reclaim/experiment.ts';
import { sweep } from './sweep/experiment.ts';

/** The privileged commands that a dry run with these options shows. */
async function dryRunOf<K extends Kinds>(
  experiment: Experiment<K>,
  options: Record<string, string>,
): Promise<string> {
  const shown: string[] = [];
  const say = (line: string) => shown.push(line);
  const none = () => Promise.resolve('');
  const privilege = createPrivilege({ dryRun: true, say });
  const browser = { requireChromium: none, findChromium: none, missingForBrowser: () => [] };
  const tools: Tools = { privilege, say, ...browser };
  const { asked, problems } = experiment.options.read(options);
  expect(problems).toEqual([]);
  await experiment.dryRun?.(await experiment.plan(asked, tools), tools);
  return shown.join('\n');
}

test('a dry run of a sweep without a slow disk shows that the page cache is dropped', async () => {
  const shown = await dryRunOf(sweep, { storage: 'none' });
  expect(shown).toContain('"state":"cold"');
  expect(shown).toContain('prepare-page-cache.py');
  expect(shown).not.toContain('mount');
});

test('a dry run of a sweep with system calls shows strace', async () => {
  expect(await dryRunOf(sweep, { storage: 'none', witness: 'syscalls' })).toContain('strace');
});

test("a dry run of reclaim shows the disk below Chromium's cache", async () => {
  const disk = { system: 'chromium', storage: 'nbd-delay', delay: '5' };
  expect(await dryRunOf(reclaim, disk)).toContain('rdelay=5ms');
  expect(await dryRunOf(reclaim, {})).toBe('');
});

test('a dry run of fill shows the disk of the question slow-disk, whose writes are delayed too', async () => {
  const disk = { systems: 'browser', questions: 'slow-disk', storage: 'nbd-delay' };
  expect(await dryRunOf(fill, disk)).toContain('rdelay=20ms wdelay=20ms');
  expect(await dryRunOf(fill, { ...disk, storage: 'none' })).toBe('');
  expect(await dryRunOf(fill, { systems: 'origin' })).toBe('');
});
