/** Text of a page on a terminal: what would steer it, start a line or turn the direction of writing shows as `?`. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
