import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { experiments } from '@cachescope/model/run/run.ts';
import { afterAll, beforeAll } from 'vitest';

/** A directory with a report without a page for each experiment, during the tests of a file. */
export function builtReports(): { path: string } {
  const built = { path: '' };
  beforeAll(() => {
    built.path = mkdtempSync(join(tmpdir(), 'cachescope-golden-'));
    mkdirSync(join(built.path, 'reports'));
    for (const name of Object.keys(experiments))
      writeFileSync(
        join(built.path, `reports/${name}.html`),
        '<script type="application/json" id="run-document"></script>',
      );
  });
  afterAll(() => rmSync(built.path, { recursive: true }));
  return built;
}
