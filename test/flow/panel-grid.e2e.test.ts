import type { Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { chooseLoads } from '../../harness/browser/panel-browser.ts';
import { accessibilityTrouble } from '../accessibility.ts';
import { page, pageForEachTest, panel } from '../panel-page.ts';

const warm = madeUpLoad({ id: 'warm', count: 300 });
const cold = madeUpLoad({
  id: 'cold',
  state: 'cold',
  count: 280,
  startedAt: '2026-11-20T22:59:00.000Z',
});

pageForEachTest({ isOpen: true });

const text = (selector: string): Promise<string> =>
  page.$eval(selector, (found) => (found.textContent ?? '').replaceAll(/\s+/g, ' ').trim());
const texts = (selector: string): Promise<string[]> =>
  page.$$eval(selector, (found) =>
    found.map((each) => (each.textContent ?? '').replaceAll(/\s+/g, ' ').trim()),
  );
/** Index of the focused row, from 0; -1 when no row has the focus. */
const focusedRow = (): Promise<number> =>
  page.evaluate(
    "Number(document.activeElement?.closest('.row')?.dataset.index ?? -1)",
  ) as Promise<number>;
const pressed = async (...keys: Parameters<Page['keyboard']['press']>[0][]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
/** The text of a column's cells in the first rows, in the order shown. */
const column = async (id: string): Promise<string[]> => {
  const cells = await page.$$eval(`.row .cell.${id}`, (found) =>
    found.map((cell) => ({
      index: Number(cell.closest('.row')?.getAttribute('data-index')),
      text: (cell.textContent ?? '').trim(),
    })),
  );
  return cells.toSorted((one, other) => one.index - other.index).map((cell) => cell.text);
};
const button = (name: string): Promise<void> => page.locator(`::-p-aria(${name})`).click();

test('an empty panel says what to do', async () => {
  expect(await text('main')).toMatch(/Drop a HAR file.*Ctrl \+ O.*open DevTools/);
  await button('Compare');
  expect(await text('main')).toContain('Pin two loads');
  await button('Runs');
  expect(await text('main')).toContain('npm run sweep');
});

test('the grid has the ARIA grid role, and renders few of many rows', async () => {
  await chooseLoads(page, panel.directory, warm);
  const grid = await page.$eval('[role=grid]', (found) => ({
    rows: found.getAttribute('aria-rowcount'),
    headers: [...found.querySelectorAll('[role=columnheader]')].map((header) =>
      header.getAttribute('aria-sort'),
    ),
    drawn: found.querySelectorAll('.row').length,
    stops: found.querySelectorAll('.row[tabindex="0"]').length,
    first: found.querySelector('.row')?.getAttribute('aria-rowindex'),
  }));
  expect(grid).toMatchObject({ rows: '301', stops: 1, first: '2' });
  expect(grid.headers).toHaveLength(11);
  expect(grid.headers.filter((sort) => sort === 'ascending')).toHaveLength(1);
  expect(grid.drawn).toBeLessThan(80);
});

test('every key of the grid works, and the focused row stays in view', async () => {
  await chooseLoads(page, panel.directory, warm);
  await page.focus('.row[tabindex="0"]');
  await pressed('ArrowDown', 'ArrowDown');
  expect(await focusedRow()).toBe(2);
  await pressed('ArrowUp');
  expect(await focusedRow()).toBe(1);
  await pressed('End');
  expect(await focusedRow()).toBe(299);
  const isInView = `(() => {
    const row = document.activeElement.getBoundingClientRect();
    const view = document.querySelector('.grid-scroller').getBoundingClientRect();
    return row.top >= view.top && row.bottom <= view.bottom + 1;
  })()`;
  expect(await page.evaluate(isInView)).toBe(true);
  await pressed('PageUp');
  expect(await focusedRow()).toBeLessThan(290);
  expect(await focusedRow()).toBeGreaterThan(250);
  await pressed('Home');
  expect(await focusedRow()).toBe(0);
  expect(await page.evaluate(isInView)).toBe(true);
  await page.evaluate('document.querySelector(".grid-scroller").scrollTop = 4000');
  await page.waitForFunction("document.querySelectorAll('.row .cell.name').length > 30");
  expect(await focusedRow()).toBe(0);
});

test.each([
  ['End', 'Home'],
  ['PageDown', 'PageDown', 'ArrowDown'],
  ['End', 'PageUp', 'PageUp', 'PageUp'],
])('a row keeps the focus when keys come faster than the grid scrolls: %s, %s', async (...keys) => {
  await chooseLoads(page, panel.directory, warm);
  await page.focus('.row[tabindex="0"]');
  await page.evaluate(`for (const key of ${JSON.stringify(keys)})
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`);
  await page.evaluate(
    'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
  );
  expect(await focusedRow()).not.toBe(-1);
});

test('Enter opens the drawer, the arrow keys still move the rows, Esc closes it', async () => {
  await chooseLoads(page, panel.directory, warm);
  await page.focus('.row[tabindex="0"]');
  await pressed('Enter');
  expect(await text('.drawer h2')).toBe('shop.example');
  expect(await text('.drawer .verdict')).toBe('network');
  await pressed('ArrowDown');
  expect(await text('.drawer h2')).not.toBe('shop.example');
  expect(await texts('.signals tbody th')).toEqual([
    'Resource Timing',
    'webRequest',
    'DevTools (HAR)',
    'Network domain',
  ]);
  await page.focus('[role=tab][aria-selected=true]');
  await pressed('ArrowRight');
  expect(await text('[role=tab][aria-selected=true]')).toBe('Timing');
  await pressed('Escape');
  expect(await page.$('.drawer')).toBeNull();
  expect(await focusedRow()).toBe(1);
});

test('Ctrl+F focuses the filter; it filters, explains errors, and Esc clears it', async () => {
  await chooseLoads(page, panel.directory, warm);
  await page.keyboard.down('Control');
  await pressed('f');
  await page.keyboard.up('Control');
  await page.keyboard.type('source:memory');
  const sources = await column('source');
  expect(new Set(sources)).toEqual(new Set(['(memory cache)']));
  expect(await text('[role=status]')).toMatch(/^43 \/ 300 requests/);
  await page.keyboard.type(' colour:red');
  expect(await text('.filter-problems')).toMatch(/Not filtered.*“colour:”/);
  expect(await page.$eval('#filter', (input) => input.getAttribute('aria-invalid'))).toBe('true');
  await pressed('Escape');
  expect(await text('[role=status]')).toMatch(/^300 requests/);
  await page.keyboard.type('nothing-is-called-so');
  expect(await text('main')).toContain('No resource matches');
  expect(await text('[role=status]')).toMatch(/^0 \/ 300 requests.* 0 B \/ /);
});

test('a header sorts ascending and descending, and unknown values stay at the end', async () => {
  await chooseLoads(page, panel.directory, warm);
  const header = '.header .transferred button';
  await page.click(header);
  const cell = '.header .transferred';
  expect(await page.$eval(cell, (found) => found.getAttribute('aria-sort'))).toBe('ascending');
  expect((await column('transferred'))[0]).toBe('0 B');
  await page.click(header);
  expect(await page.$eval(cell, (found) => found.getAttribute('aria-sort'))).toBe('descending');
  expect((await column('transferred'))[0]).toMatch(/KiB$/);
  await page.focus('.row[tabindex="0"]');
  await pressed('End');
  expect((await column('transferred')).at(-1)).toBe('–');
  const unknown = await page.$eval('.row:last-child .transferred', (found) => found.title);
  expect(unknown).toMatch(/unknown: the response has no Timing-Allow-Origin|is not transferred/);
});

test('columns can be chosen and resized, and are remembered', async () => {
  await chooseLoads(page, panel.directory, warm);
  await page.click('.header .type', { button: 'right' });
  await page.click('dialog input[name=stored]');
  await button('Done');
  expect(await texts('[role=columnheader]')).not.toContain('Stored');
  const widthPx = () => page.$eval('.header .name', (found) => found.getBoundingClientRect().width);
  const before = await widthPx();
  const resizer = await page.$('.header .name .resizer');
  const box = await resizer?.boundingBox();
  if (!box) throw new Error('no resizer');
  await page.mouse.move(box.x + 4, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 104, box.y + 5);
  await page.mouse.up();
  expect(await widthPx()).toBe(before + 100);
  await page.reload();
  await chooseLoads(page, panel.directory, warm);
  expect(await widthPx()).toBe(before + 100);
  expect(await texts('[role=columnheader]')).not.toContain('Stored');
});

test('resource types and Invert narrow the rows', async () => {
  await chooseLoads(page, panel.directory, warm);
  await button('JS');
  expect(new Set(await column('type'))).toEqual(new Set(['script']));
  await button('All');
  await page.type('#filter', 'source:disk');
  await button('Invert');
  expect(await column('source')).not.toContain('(disk cache)');
  expect(await text('[role=status]')).toMatch(/^215 \/ 300 requests/);
});

test('two pinned loads are compared', async () => {
  await chooseLoads(page, panel.directory, cold, warm);
  await button('Pin');
  await page.select('.load-list select', 'warm');
  await page.waitForFunction("document.querySelector('.load-list select').value === 'warm'");
  await button('Pin');
  await page.waitForSelector('.compare');
  expect(await texts('.compare li')).toContainEqual(
    expect.stringMatching(/^\d+ moved from network to \(disk cache\)\.$/),
  );
  const drawn = await page.$$eval('.compare canvas', (found) =>
    found.map((canvas) =>
      canvas
        .getContext('2d')
        ?.getImageData(0, 0, canvas.width, canvas.height)
        .data.some((value: number) => value > 0),
    ),
  );
  expect(drawn).toEqual([true, true]);
  await page.locator('.compare .types button ::-p-text(vanished)').click();
  const sources = await texts('.compared td:nth-child(3)');
  expect(new Set(sources)).toEqual(new Set(['not in this load']));
});

test('a dropped file opens', async () => {
  const json = JSON.stringify({ schemaVersion: 1, loads: [warm] });
  await page.evaluate(`{
    const files = new DataTransfer();
    files.items.add(new File([${JSON.stringify(json)}], 'dropped.json', { type: 'application/json' }));
    const drop = { dataTransfer: files, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('dragover', drop));
    document.body.dispatchEvent(new DragEvent('drop', drop));
  }`);
  await page.waitForSelector('[role=grid]');
  expect(await text('[role=status]')).toMatch(/^300 requests/);
});

test('names with markup are shown as text', async () => {
  const [first, ...rest] = warm.resources;
  if (!first) throw new Error('no resource was made up');
  const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const hostile = {
    ...first,
    url: `https://a.example/${markup}`,
    mimeType: markup,
    coding: markup,
    method: markup,
    responseHeaders: [[markup, markup] as [string, string]],
  };
  const load = { ...warm, id: 'hostile', url: markup, warnings: [markup] };
  await chooseLoads(page, panel.directory, { ...load, resources: [hostile, ...rest] });
  await page.focus('.row[tabindex="0"]');
  await pressed('Enter');
  for (const tab of ['Timing', 'Headers', 'Dictionary', 'Cost', 'History']) {
    await page.locator(`[role=tab] ::-p-text(${tab})`).click();
    expect(await page.$$('main img, main script, select img')).toEqual([]);
  }
  expect(await page.title()).toBe('Cachescope');
});

test('an automated accessibility check finds no serious problem in a panel with a drawer', async () => {
  await chooseLoads(page, panel.directory, madeUpLoad({ id: 'small', count: 12 }));
  await page.focus('.row[tabindex="0"]');
  await pressed('Enter');
  expect(await accessibilityTrouble(page)).toEqual([]);
});
