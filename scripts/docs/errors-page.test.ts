import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorsPage, errorsPagePath } from './errors-page.ts';

test('the page of the errors is generated from the registry', () => {
  const page = readFileSync(errorsPagePath, 'utf8');
  expect(page, 'The registry has changed: write the page again with npm run docs').toBe(
    errorsPage(),
  );
});
