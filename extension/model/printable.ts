/** Characters that control a terminal, start a line or change the writing direction. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const named: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

/**
 * Text of a page, a file or a command line for one line of any output: control characters are shown as escapes, so none
 * takes effect, and the text starts no line of its own.
 */
export function printable(text: string): string {
  return text.replaceAll(
    steering,
    (character) => named[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/**
 * The same for several lines. A line that a CI system would take for a command (`::error::`, `##[error]`,
 * `##vso[task]`) is none any more.
 */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line).replace(/^(\s*)(?=::|##(?:\[|vso\[))([:#])/, String.raw`$1\$2`))
    .join('\n');
}

/** A value of JSON with every text in it for one line. */
export function printableValue<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  if (!maySteer(text)) return value;
  return JSON.parse(text, (_, each: unknown) =>
    typeof each === 'string' ? printable(each) : each,
  ) as Value;
}

/** Whether a text as JSON writes it may hold such a character; quick for the usual text that holds none. */
export function maySteer(json: string): boolean {
  return /\\[bfnrtu]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(json);
}

/** JSON for a terminal: control characters are written as escapes, which any JSON parser decodes. */
export function printableJson(json: string): string {
  // A character beyond U+FFFF is two UTF-16 code units (RFC 8259 section 7).
  const escape = (character: string) =>
    [...Array(character.length).keys()]
      .map((at) => String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  return json
    .split('\n')
    .map((line) => line.replaceAll(steering, escape))
    .join('\n');
}
