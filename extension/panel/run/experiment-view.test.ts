import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { experiments } from '@cachescope/model/run/run.ts';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../experiments');

test.each(Object.keys(experiments))('the directory of %s has a view and a report', (name) => {
  for (const file of ['view.ts', 'report.ts']) {
    expect(existsSync(join(folder, name, file)), `${name}/${file}`).toBe(true);
  }
});
