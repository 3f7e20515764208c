import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createPrivilege } from '../privilege.ts';
import { type Check, findingOf, type Subject } from './check.ts';
import type { Finding } from './finding.ts';
import { machineFiles } from './machine-files.ts';

/** Files of a made-up machine, path to text; a path that ends in a slash is an empty directory. */
type MadeUpFiles = Record<string, string>;

/** A check's finding on a made-up machine. Its files are removed afterwards. */
export async function findOn(
  check: Check,
  files: MadeUpFiles,
  known: Partial<Subject> = {},
): Promise<Finding> {
  const root = mkdtempSync(join(tmpdir(), 'cachescope-machine-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      const place = join(root, path);
      mkdirSync(path.endsWith('/') ? place : dirname(place), { recursive: true });
      if (!path.endsWith('/')) writeFileSync(place, text);
    }
    return await findingOf(check, {
      files: machineFiles(root),
      privilege: createPrivilege({ dryRun: true, say: () => undefined }),
      storage: 'auto',
      chromiumPath: null,
      otherBrowsers: [],
      temporaryDirectory: root,
      isRoot: false,
      before: [],
      ...known,
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Where the kernel describes its processors. */
export const cpu = '/sys/devices/system/cpu';

/** Without root and without sudo. */
export const noPrivilege = {
  ...createPrivilege({ dryRun: true, say: () => undefined }),
  obstacle: () => 'there is no sudo',
};
/** Root, whose commands answer so. */
export const root = (answer: string) => ({
  ...noPrivilege,
  obstacle: () => null,
  run: async () => answer,
});
/** Root, whose commands fail so. */
export const denied = (reason: string) => ({
  ...root(''),
  run: () => Promise.reject(new Error(reason)),
});

/** A check, the files of a machine, and the expected finding. */
export type Row = [
  check: Check,
  files: MadeUpFiles,
  status: string,
  words: RegExp,
  known?: Partial<Subject>,
];

/** A test for each row. */
export function testFindings(rows: readonly Row[]): void {
  for (const [index, [check, files, status, words, known]] of rows.entries()) {
    test(`${check.id} ${index}: ${status}`, async () => {
      const finding = await findOn(check, files, known);
      expect(finding).toMatchObject({ id: check.id, why: check.why, status });
      expect(finding.what).toMatch(words);
      // A problem comes with what to do.
      if (status === 'warning' || status === 'refused') expect(finding.todo).not.toBeNull();
    });
  }
}
