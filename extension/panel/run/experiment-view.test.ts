import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { experiments } from '@cachescope/model/run/run.ts';
import { expect, test } from 'vitest';

const has = (path: string) => existsSync(join(import.meta.dirname, path));

test.each(Object.keys(experiments))('%s declares a page, or has a view and a report', (name) => {
  const isDrawn = ['view.ts', 'report.ts'].every((file) => has(`../experiments/${name}/${file}`));
  expect(has(`../../model/${name}/declaration.ts`) || isDrawn).toBe(true);
});
