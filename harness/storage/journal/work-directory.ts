import { randomBytes } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Privilege } from '../../privilege.ts';
import { Journal } from './journal.ts';
import { undo } from './undo.ts';

/** A directory that is removed when its program ends, in whatever way. */
export interface WorkDirectory extends AsyncDisposable {
  path: string;
  /** A second call does nothing. */
  remove: () => Promise<void>;
}

/** Creates an empty directory `cachescope-PURPOSE-…` for temporary files, journaled, so that a reaper finds it. */
export async function makeWorkDirectory(
  purpose: string,
  privilege: Privilege,
): Promise<WorkDirectory> {
  const name = `cachescope-${purpose}-${randomBytes(4).toString('hex')}`;
  const path = join(await realpath(tmpdir()), name);
  const journal = Journal.begin();
  journal.record({ kind: 'directory', path });
  const remove = async () => {
    await undo(journal, privilege);
    journal.end();
  };
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove, [Symbol.asyncDispose]: remove };
}
