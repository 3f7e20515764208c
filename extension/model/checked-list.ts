import { checked, type Parsed, type Schema } from './parsed.ts';

/** A list is not checked further after this many problems: a file may have a million errors. */
const mostProblems = 1000;

/** Parses each item of a list. Problems begin with `name` and the item's index. */
export function parsedList<Value>(
  name: string,
  items: readonly unknown[],
  read: (place: string, item: unknown) => Parsed<Value>,
): Parsed<Value[]> {
  const values: Value[] = [];
  const problems: string[] = [];
  for (const [index, item] of items.entries()) {
    const parsed = read(`${name}.${index}`, item);
    if ('value' in parsed) values.push(parsed.value);
    else problems.push(...parsed.problems);
    if (problems.length >= mostProblems && index + 1 < items.length) {
      problems.push(`${name}: the items from ${index + 1} on were not checked.`);
      break;
    }
  }
  return problems.length > 0 ? { problems } : { value: values };
}

/**
 * Checks each item of a list against its schema. The schema library itself cannot collect the problems of a long list:
 * its stack overflows from about 100,000 on.
 */
export function checkedList<Value>(
  name: string,
  schema: Schema<Value>,
  items: readonly unknown[],
): Parsed<Value[]> {
  return parsedList(name, items, (place, item) => checked(place, schema, item));
}
