import * as z from 'zod/mini';
import { type ReadRun, savedExperiment, type SavedExperiment } from './experiment.ts';
import type { Schema } from '../parsed.ts';

/** A run, and all its measurements under a name of their own. */
export type RunWith<Name extends string, Run, Item> = { run: Run } & Record<Name, Item[]>;

/** Creates the reader of an experiment whose document is its run and the lines of one file. Of repeated lines the first counts. */
export function savedMeasurements<
  Name extends string,
  Run extends ReadRun,
  Item extends object,
>(kind: {
  lineFile: string;
  /** Name of one line's item, in the singular: `sample`. */
  itemName: string;
  /** Name of the items in the document. */
  items: Name;
  runSchema: z.ZodMiniType<Run>;
  itemSchema: z.ZodMiniType<Item>;
  /** Two lines with one id are the same item. */
  idOf: (item: Item) => string | number;
}): SavedExperiment<RunWith<Name, Run, Item>, Item, never> {
  type Document = RunWith<Name, Run, Item>;
  const { items, runSchema, itemSchema } = kind;
  // TypeScript does not know the property that a variable names.
  const documentSchema: unknown = z.object({ run: runSchema, [items]: z.array(itemSchema) });
  const ownRunSchema: unknown = runSchema;
  return savedExperiment<Document, Item>({
    ...kind,
    documentSchema: documentSchema as Schema<Document>,
    runSchema: ownRunSchema as Schema<Document['run']>,
    repeated: 'first',
    join: (run, list) => ({ run, [items]: list }) as Document,
    itemsOf: (document) => document[items],
  });
}
