import type { RunBase } from '../run/base.ts';
import type { SavedExperiment } from '../run/experiment.ts';
import type { Trust } from '../run/trust.ts';
import type { Page } from './page.ts';

/** What a run means, and how people read it. Both functions are pure. */
interface Meaning<Document, Summary> {
  /** The contents of summary.json. */
  summarize: (document: Document) => Summary;
  page: (document: Document, summary: Summary) => Page;
}

/**
 * An experiment as data: how its runs are read, what is derived from them, and how that is shown. The file
 * `declaration.ts` of an experiment's folder exports one under the folder's name; panel and reports find it there.
 */
export type DeclaredExperiment<
  Document extends { run: RunBase },
  Item = unknown,
  Beside = unknown,
  Summary extends { trust: Trust } = { trust: Trust },
> = SavedExperiment<Document, Item, Beside> & Meaning<Document, Summary>;

/** Adds to the reader of saved runs what they mean. */
export function declared<
  Document extends { run: RunBase },
  Item,
  Beside,
  Summary extends { trust: Trust },
>(
  saved: SavedExperiment<Document, Item, Beside>,
  meaning: Meaning<Document, Summary>,
): DeclaredExperiment<Document, Item, Beside, Summary> {
  return { ...saved, ...meaning };
}
