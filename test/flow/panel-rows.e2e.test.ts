import { beforeEach, expect, test } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { chooseLoads } from '../../harness/browser/panel-browser.ts';
import { hangLimitMs } from '../hang-limit.ts';
import { page, pageForEachTest, panel } from '../panel-page.ts';

const warm = madeUpLoad({ id: 'warm', count: 300 });

pageForEachTest({ isOpen: true });

beforeEach(() => chooseLoads(page, panel.directory, warm));

const headers = (): Promise<string[]> =>
  page.$$eval('[role=columnheader]', (found) =>
    found.map((each) => (each.textContent ?? '').trim()),
  );
const scrollTo = (px: number): Promise<unknown> =>
  page.evaluate(`document.querySelector('.grid-scroller').scrollTop = ${px}`);
const button = (name: string): Promise<void> => page.locator(`::-p-aria(${name})`).click();

test('a narrow panel cuts off neither a column nor the summary below', async () => {
  const beyond = `[...document.querySelectorAll('[role=columnheader], .summary-bar > span')]
    .filter((each) => each.getBoundingClientRect().right > innerWidth)
    .map((each) => each.textContent.trim())`;
  await page.setViewport({ width: 420, height: 700 });
  const shown = async () => ({
    headers: await headers(),
    beyond: await page.evaluate(beyond),
  });
  await expect
    .poll(shown, { timeout: hangLimitMs })
    .toEqual({ headers: ['Name', 'Source', 'Time'], beyond: [] });
  await page.setViewport({ width: 560, height: 700 });
  await expect
    .poll(shown, { timeout: hangLimitMs })
    .toEqual({ headers: expect.arrayContaining(['Transferred']), beyond: [] });
});

test('a row that scrolls into view shows its own resource, in a reused element', async () => {
  const shown = `[...document.querySelectorAll('.row')].map((row) =>
    [Number(row.dataset.index), row.ariaRowIndex, row.querySelector('.name').title, row.offsetTop])`;
  const urls = warm.resources
    .toSorted((one, other) => one.startMs - other.startMs)
    .map(({ url }) => url);
  for (const scrollTop of [0, 1500, 4000, 30]) {
    await scrollTo(scrollTop);
    const first = Math.floor(scrollTop / 21);
    await page.waitForSelector(`.row[data-index="${first + 25}"]`);
    const rows = (await page.evaluate(shown)) as [number, string, string, number][];
    expect(rows).toEqual(
      rows.map(([index]) => [index, String(index + 2), urls[index], index * 21]),
    );
    expect(rows.map(([index]) => index)).toEqual(
      rows.map(([index]) => index).toSorted((one, other) => one - other),
    );
  }
});

test('a time chosen in the overview keeps its requests, zooms the waterfall, and is given up by a double click', async () => {
  const rowCount = () => page.$eval('.grid', (grid) => Number(grid.ariaRowCount) - 1);
  const all = warm.resources.length;
  const strip = await page.waitForSelector('.overview');
  const box = await strip?.boundingBox();
  if (!box) throw new Error('the overview is not shown');
  const toMs = Math.max(
    warm.loadMs ?? 0,
    warm.domContentLoadedMs ?? 0,
    ...warm.resources.map(({ startMs, durationMs }) => startMs + (durationMs ?? 0)),
  );
  const [fromShare, toShare] = [0.25, 0.5];
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + fromShare * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + toShare * box.width, y, { steps: 3 });
  await page.mouse.up();
  const expected = warm.resources.filter(
    ({ startMs, durationMs }) =>
      startMs <= toShare * toMs &&
      (durationMs === null || startMs + durationMs >= fromShare * toMs),
  ).length;
  expect(expected).toBeLessThan(all);
  // The ends of the choice are those of the pixels.
  const isNear = async () => Math.abs((await rowCount()) - expected) <= 0.02 * all;
  await expect.poll(isNear, { timeout: hangLimitMs }).toBe(true);
  expect(await page.$eval('.overview', (each) => each.ariaLabel)).toMatch(/requests of \S+ .* to /);
  await page.focus('.overview');
  const before = await rowCount();
  await page.keyboard.press('ArrowUp');
  await expect.poll(rowCount, { timeout: hangLimitMs }).toBeLessThan(before);
  await page.mouse.click(box.x + 10, y, { count: 2 });
  await expect.poll(rowCount, { timeout: hangLimitMs }).toBe(all);
});

test('rows fill the view after a change of filter, sort order or view', async () => {
  const isFilled = `(() => {
    const view = document.querySelector('.grid-scroller').getBoundingClientRect();
    return [40, view.height - 30].every((y) =>
      document.elementFromPoint(20, view.top + y)?.closest('.row') !== null);
  })()`;
  const filled = () =>
    expect.poll(() => page.evaluate(isFilled), { timeout: hangLimitMs }).toBe(true);
  await scrollTo(3000);
  await filled();
  await page.type('#filter', '-nothing-is-called-so');
  await filled();
  await page.click('.header .time button');
  await filled();
  await button('Compare');
  await button('Load');
  await filled();
  await scrollTo(3000);
  await page.type('#filter', ' source:disk');
  await filled();
});

test('a right click opens a menu of the row, which the keyboard reaches; it copies and filters', async () => {
  await page.click('.row[data-index="3"] .name', { button: 'right' });
  const focused = () => page.evaluate('document.activeElement.textContent.trim()');
  expect(await focused()).toBe('Open details');
  expect(await page.$eval('#row-menu', (menu) => menu.matches(':popover-open'))).toBe(true);
  expect(await page.$$eval('.row[aria-selected=true]', (rows) => rows.length)).toBe(1);
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('Copy URL');
  await page.keyboard.press('Enter');
  await page.waitForSelector('::-p-text(Copied the URL.)');
  await page.focus('.row[aria-selected=true]');
  await page.keyboard.down('Shift');
  await page.keyboard.press('F10');
  await page.keyboard.up('Shift');
  await page.waitForSelector('#row-menu:popover-open');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toMatch(/^Filter by source:/);
  await page.keyboard.press('Enter');
  expect(await page.evaluate("document.querySelector('#filter').value")).toMatch(/^source:/);
  await page.click('.row .name', { button: 'right' });
  await page.waitForSelector('#row-menu:popover-open');
  await page.keyboard.press('Escape');
  expect(await page.$$eval('#row-menu:popover-open', (menus) => menus.length)).toBe(0);
});
