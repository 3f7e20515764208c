/** Files beyond this are not read: a text must fit the browser's memory several times over. 256 MiB. */
const mostBytes = 256 * 1024 ** 2;

/** First bytes of files that are not text, with what their reader is to do. */
const signatures: readonly (readonly [bytes: readonly number[], says: string])[] = [
  [[0x1f, 0x8b], 'is compressed with gzip: decompress it first, for example with gunzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a zip archive: unpack it first'],
  [[0xff, 0xfe], 'is text in UTF-16: save it as UTF-8'],
  [[0xfe, 0xff], 'is text in UTF-16: save it as UTF-8'],
];

/** Why a file cannot be opened, told before it is read into memory: too large, or no text. null: it can be tried. */
export async function unreadable(file: File): Promise<string | null> {
  if (file.size > mostBytes) {
    return `${file.name} is ${Math.round(file.size / 1024 ** 2)} MiB; at most ${mostBytes / 1024 ** 2} MiB can be opened.${hint(file.name)}`;
  }
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const found = signatures.find(([bytes]) => bytes.every((byte, at) => start[at] === byte));
  return found ? `${file.name} ${found[1]}.` : null;
}

function hint(name: string): string {
  if (!name.toLowerCase().endsWith('.har')) return '';
  return ' DevTools exports a HAR without the bodies, which is much smaller: “Export HAR (sanitized)”.';
}
