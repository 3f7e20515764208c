/** Characters that control a terminal, start a line or change the writing direction. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of a page or a file for one line of a terminal: control characters are shown as `?`. */
export function printable(text: string): string {
  return text.replaceAll(steering, '?');
}

/** The same for several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
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
