import { joinLoad } from '@cachescope/model/load/join.ts';
import type { LoadHead } from '@cachescope/model/load/load.ts';
import { database, type StoredHead } from './load-database.ts';
import { documents, loadParts } from './load-parts.ts';

/** Heads of all loads that are kept, newest first. Only loads that have changed since are joined again. */
export async function storedHeads(): Promise<LoadHead[]> {
  const db = await database();
  const changes = new Map((await db.getAll('changes')).map(({ id, count }) => [id, count]));
  const stored = new Map((await db.getAll('heads')).map((each) => [each.id, each]));
  const heads: LoadHead[] = [];
  for (const { id } of await documents()) {
    const count = changes.get(id) ?? 0;
    const known = stored.get(id);
    const head = known?.count === count ? known.head : await joinHead(id, count);
    if (head) heads.push(head);
  }
  return heads;
}

/** `count` was read before the join: later changes make the head outdated. */
async function joinHead(id: string, count: number): Promise<LoadHead | null> {
  const parts = await loadParts(id);
  if (!parts) return null;
  const { resources, ...head } = joinLoad(parts);
  const made = { ...head, resourceCount: resources.length };
  await putHead({ id, count, head: made });
  return made;
}

/** A slower, older join neither replaces a newer one nor restores a forgotten load. */
async function putHead(made: StoredHead): Promise<void> {
  const db = await database();
  const transaction = db.transaction(['heads', 'documents'], 'readwrite');
  const known = await transaction.objectStore('heads').get(made.id);
  const document = await transaction.objectStore('documents').get(made.id);
  const isWanted = document !== undefined && document.isForgotten !== true;
  if (isWanted && (known === undefined || known.count < made.count))
    void transaction.objectStore('heads').put(made);
  await transaction.done;
}
