import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Findings of an automated accessibility check with impact serious or critical, with the elements. */
export async function accessibilityTrouble(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return (await page.evaluate(`axe.run(document, {resultTypes: ['violations']}).then(({violations}) =>
    violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
      .flatMap(({id, nodes}) => nodes.map(({html}) => id + ': ' + html.slice(0, 200))))`)) as string[];
}
