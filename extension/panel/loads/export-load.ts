import { harOf } from '@cachescope/model/har/export.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { loadCsv } from '@cachescope/model/load/csv.ts';
import { loadDocumentText } from '@cachescope/model/load/document.ts';
import type { ExportFormat } from '../commands.ts';
import { download } from '../download.ts';
import { sanitizedLoad } from '@cachescope/model/load/sanitized-load.ts';

interface Format {
  extension: string;
  mediaType: string;
  text: (load: Load) => string;
}

const wholeHar = (load: Load): string => JSON.stringify(harOf([load], version()));

/** A load as a HAR file, without cookies and credentials. */
export const harText = (load: Load): string => wholeHar(sanitizedLoad(load));

const jsonText = (load: Load): string => loadDocumentText([load]);
const har = { extension: 'har', mediaType: 'application/json' };
const json = { extension: 'json', mediaType: 'application/json' };

const formats: Readonly<Record<ExportFormat, Format>> = {
  har: { ...har, text: harText },
  'har-sensitive': { ...har, text: wholeHar },
  json: { ...json, text: (load) => jsonText(sanitizedLoad(load)) },
  'json-sensitive': { ...json, text: jsonText },
  csv: { extension: 'csv', mediaType: 'text/csv', text: loadCsv },
};

/** Saves a load as a file on the user's machine. Returns the file's name. */
export function exportLoad(load: Load, format: ExportFormat): string {
  const { extension, mediaType, text } = formats[format];
  const name = `${fileName(load)}.${extension}`;
  download(name, text(load), mediaType);
  return name;
}

/** Host and time, with characters that every file system allows. */
function fileName({ url, startedAt }: Load): string {
  const host = /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? 'load';
  const time = startedAt.replaceAll(/[:.]/g, '').slice(0, 17);
  return `${host}_${time}`.replaceAll(/[^\w.-]/g, '-');
}

/** The version of the extension; unknown in a report, which is not part of the extension. */
function version(): string {
  return globalThis.chrome?.runtime?.getManifest?.()['version'] ?? 'unknown';
}
