import type * as z from 'zod/mini';

/** A kept line of measurements: what was measured, in which cell. */
interface CellLine<Cell> {
  cell: Cell;
}

/** The key of a cell: a text that is equal for two cells exactly when all their fields are equal. */
export type CellKey<Cell> = (cell: Cell) => string;

/** The key of the cells that a schema describes. An absent field is a level of its own. */
export function cellKeyOf<Schema extends z.ZodMiniObject>(
  schema: Schema,
): CellKey<z.infer<Schema>> {
  const fields = Object.keys(schema.shape) as (keyof z.infer<Schema>)[];
  return (cell) => fields.map((field) => cell[field] ?? '').join('/');
}

/** The lines of each cell, in order of first appearance. */
export function byCell<Cell, Line extends CellLine<Cell>>(
  lines: readonly Line[],
  key: CellKey<Cell>,
): Line[][] {
  return [...Map.groupBy(lines, ({ cell }) => key(cell)).values()];
}

/** The cells that no line measured, each once. */
export function missingCells<Cell>(
  cells: readonly Cell[],
  lines: readonly CellLine<Cell>[],
  key: CellKey<Cell>,
): Cell[] {
  const missing = new Map(cells.map((cell) => [key(cell), cell]));
  for (const { cell } of lines) missing.delete(key(cell));
  return [...missing.values()];
}
