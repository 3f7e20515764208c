import en from 'zod/v4/locales/en.js';

/** A value that fits its schema, or every reason why it does not, in sentences for people. */
export type Parsed<Value> = { value: Value } | { problems: string[] };

const messages = en().localeError;

/** The part of a zod schema that is used here. */
export interface Schema<Value> {
  safeParse(
    value: unknown,
    settings: { error: typeof messages },
  ):
    | { success: true; data: Value }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/** Checks a value against its schema. Each problem begins with `name` and the path in the value. */
export function checked<Value>(name: string, schema: Schema<Value>, value: unknown): Parsed<Value> {
  const result = parsedBy(schema, value);
  if (result === null) return { problems: [`${name} has more problems than can be listed.`] };
  if (result.success) return { value: result.data };
  const problems = result.error.issues.map(
    ({ path, message }) => `${name}: ${path.map(String).join('.') || 'the whole'}: ${message}`,
  );
  return { problems };
}

/** null: the file has so many problems, or is nested so deeply, that the schema cannot report them. */
function parsedBy<Value>(schema: Schema<Value>, value: unknown) {
  try {
    return schema.safeParse(value, { error: messages });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Parses JSON. An empty or malformed text is a problem, not an exception. */
export function parsedJson(name: string, text: string): Parsed<unknown> {
  const begin = text.trimStart();
  if (begin === '') return { problems: [`${name} is empty.`] };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'broken';
    const line = begin.split('\n', 1)[0] ?? '';
    if (!isJson(line)) return { problems: [`${name} is not JSON: ${why}`] };
    return {
      problems: [
        `${name} is not one JSON value: its first line is one by itself, as in a log in JSON Lines.`,
      ],
    };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
