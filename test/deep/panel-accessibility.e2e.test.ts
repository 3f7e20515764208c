import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { expect, test } from 'vitest';
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

const button = (name: string): Promise<void> => page.locator(`::-p-aria(${name})`).click();

test.each(['light', 'dark'])(
  'an automated accessibility check finds no serious problem in the %s theme',
  async (theme) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    expect(await accessibilityTrouble(page)).toEqual([]);
    await chooseLoads(page, panel.directory, cold, warm);
    await page.type('#filter', 'is:nothing');
    expect(await accessibilityTrouble(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.focus('.row[tabindex="0"]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    for (const tab of ['Source', 'Timing', 'Headers', 'Dictionary', 'Cost', 'History']) {
      await page.locator(`[role=tab] ::-p-text(${tab})`).click();
      expect(await accessibilityTrouble(page)).toEqual([]);
    }
    await button('Pin');
    await page.select('.load-list select', 'warm');
    await page.waitForFunction("document.querySelector('.load-list select').value === 'warm'");
    await button('Pin');
    await page.waitForSelector('.compare');
    expect(await accessibilityTrouble(page)).toEqual([]);
  },
);
