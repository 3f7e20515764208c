/** Maximum size of a file that is read: the browser's memory must hold its text several times. 256 MiB. */
const mostBytes = 256 * 1024 ** 2;

/** First bytes of files that are not UTF-8 text, with advice for the user. */
const signatures: readonly (readonly [bytes: readonly number[], says: string])[] = [
  [[0x1f, 0x8b], 'is compressed with gzip: decompress it first, for example with gunzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a zip archive: unpack it first'],
  [[0xff, 0xfe], 'is text in UTF-16: save it as UTF-8'],
  [[0xfe, 0xff], 'is text in UTF-16: save it as UTF-8'],
];

/**
 * The reason why a file cannot be opened, checked before it is read into memory: too large, or not UTF-8 text. null: it
 * can be tried.
 */
export async function unreadable(file: File): Promise<string | null> {
  if (file.size > mostBytes) {
    return `${file.name} is ${Math.round(file.size / 1024 ** 2)} MiB; at most ${mostBytes / 1024 ** 2} MiB can be opened.${hint(file.name)}`;
  }
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const found = signatures.find(([bytes]) => bytes.every((byte, at) => start[at] === byte));
  return found ? `${file.name} ${found[1]}.` : null;
}

function hint(name: string): string {
  if (name.toLowerCase().endsWith('.ndjson'))
    return ' npm run report -- DIR writes run-by-summary.json, which opens without single reads.';
  if (!name.toLowerCase().endsWith('.har')) return '';
  return ' DevTools exports a HAR without the bodies, which is much smaller: “Export HAR (sanitized)”.';
}
