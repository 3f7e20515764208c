import { notText, signatureBytes } from '@cachescope/model/file-signature.ts';

/** Maximum size of a file that is read: the browser's memory must hold its text several times. 256 MiB. */
const mostBytes = 256 * 1024 ** 2;

/**
 * The reason why a file cannot be opened, checked before it is read into memory: too large, or not UTF-8 text. null: it
 * can be tried.
 */
export async function unreadable(file: File): Promise<string | null> {
  if (file.size > mostBytes) {
    return `${file.name} is ${Math.round(file.size / 1024 ** 2)} MiB; at most ${mostBytes / 1024 ** 2} MiB can be opened.${hint(file.name)}`;
  }
  const says = notText(new Uint8Array(await file.slice(0, signatureBytes).arrayBuffer()));
  return says === null ? null : `${file.name} ${says}.`;
}

function hint(name: string): string {
  if (name.toLowerCase().endsWith('.ndjson'))
    return ' npm run report -- DIR writes run-by-summary.json, which opens without single reads.';
  if (!name.toLowerCase().endsWith('.har')) return '';
  return ' DevTools exports a HAR without the bodies, which is much smaller: “Export HAR (sanitized)”.';
}
