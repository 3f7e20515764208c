import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPrivilege } from '../privilege.ts';
import type { Check, Subject } from './check.ts';
import { findingOf } from './check.ts';
import type { Finding } from './finding.ts';
import { machineFiles } from './machine-files.ts';

/** Files of a made-up machine, path to text; a path that ends in a slash is an empty directory. */
export type MadeUpFiles = Record<string, string>;

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
      temporaryDirectory: root,
      isRoot: false,
      before: [],
      ...known,
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}
