/** A part of a body: `from` is its first byte, `to` the byte after its last. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * The part that a Range field requests from a body of `bytes` (RFC 9110 section 14.1.2). null: ignore the field,
 * because its unit is not bytes, it is malformed, or it has several ranges, which a server may always ignore.
 * `unsatisfiable`: status 416.
 */
export function byteRange(
  field: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(field ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const suffix = Number(last);
    if (suffix === 0 || bytes === 0) return 'unsatisfiable';
    return { from: Math.max(0, bytes - suffix), to: bytes };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= bytes) return 'unsatisfiable';
  return { from, to: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
}

/** Content-Range of a part (RFC 9110 section 14.4). */
export function contentRange({ from, to }: ByteRange, bytes: number): string {
  return `bytes ${from}-${to - 1}/${bytes}`;
}
