/** What would steer a terminal, start a line or turn the direction of writing. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of a page or a file for one line on a terminal: what would steer it shows as `?`. */
export function printable(text: string): string {
  return text.replaceAll(steering, '?');
}

/** The same for several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON for a terminal: what would steer it stands as an escape, which any reader of JSON undoes. */
export function printableJson(json: string): string {
  // A character beyond U+FFFF is two units (RFC 8259 section 7).
  const escape = (character: string) =>
    [...Array(character.length).keys()]
      .map((at) => String.raw`\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join('');
  return json
    .split('\n')
    .map((line) => line.replaceAll(steering, escape))
    .join('\n');
}
