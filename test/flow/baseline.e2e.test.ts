import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { expect, test } from 'vitest';
import { panelBrowser } from '../../harness/browser/panel-browser.ts';
import { base, cachescope } from '../command-under-test.ts';

const folder = ['--folder', join(base, 'baselines')];

function saved(day: number, factor: number, status = 'complete'): string {
  const { run, samples } = madeUpRun(4);
  const directory = join(base, `run-${day}-${status}`);
  mkdirSync(directory);
  const startedAt = `2026-10-0${day}T01:00:00.000Z`;
  writeFileSync(join(directory, 'run.json'), JSON.stringify({ ...run, startedAt, status }));
  const lines = samples.map((sample, index) =>
    JSON.stringify({ ...sample, readMs: sample.readMs * factor * (1 + ((index * day) % 5) / 500) }),
  );
  writeFileSync(join(directory, 'samples.ndjson'), `${lines.join('\n')}\n`);
  return directory;
}

test('stored runs are listed; a new run is compared with them and with their trend', async () => {
  for (const day of [1, 2, 3, 4, 5, 6, 7]) {
    const kept = await cachescope(
      'baseline',
      'save',
      'nightly',
      saved(day, day < 5 ? 1 : 1.4),
      ...folder,
    );
    expect(kept.code, kept.stderr).toBe(0);
  }
  const list = await cachescope('baseline', 'list', ...folder);
  expect(list.stdout).toMatch(/^nightly +7 +2026-10-07 01:00 +Chrome/m);

  const out = join(base, 'trend');
  const words = ['compare', 'nightly', saved(8, 1.4), '--gate', 'slower:5%', '--out', out];
  const { code, stdout, stderr } = await cachescope('baseline', ...words, ...folder);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Trend of nightly: the last 4 of 8 runs');
  expect(stdout).toContain('Change point at the run of 2026-10-05 01:00');
  expect(stdout.split('\n').filter((line) => line.length > 80 && !line.includes(base))).toEqual([]);

  const panel = await panelBrowser();
  try {
    const page = await panel.newPage();
    await page.goto(pathToFileURL(join(out, 'compare.html')).href);
    await page.waitForSelector('#trend canvas');
    const text: unknown = await page.evaluate(`document.querySelector('#trend').innerText`);
    expect(text).toContain('Change point at the run of 2026-10-05 01:00');
    const isDrawn = `(() => {
      const canvas = document.querySelector('#trend canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.some((value) => value > 0);
    })()`;
    await page.waitForFunction(isDrawn);
  } finally {
    await panel.close();
  }
});

test('bad input ends with exit code 2 and a message, and stores nothing', async () => {
  const wrong: [words: string[], says: string][] = [
    [['save', '../up', base], 'NAME is "../up"'],
    [['save', 'new', join(base, 'nowhere')], 'CS_RUN_INVALID'],
    [['save', 'new', saved(9, 1, 'partial')], 'is partial'],
    [['compare', 'none', base], 'CS_BASELINE'],
    [['compare', 'nightly', base, '--last', '0', '--gate', 'sooner'], '--last is "0"'],
    [['compare', 'nightly', base, '--last', '0', '--gate', 'sooner'], '"sooner"'],
  ];
  await Promise.all(
    wrong.map(async ([words, says]) => {
      const { code, stderr } = await cachescope('baseline', ...words, ...folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
    }),
  );
  expect(existsSync(join(base, 'baselines/new'))).toBe(false);
});
