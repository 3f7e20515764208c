import { harOf } from '@cachescope/model/har-export.ts';
import type { Load } from '@cachescope/model/load.ts';
import { loadCsv } from '@cachescope/model/load-csv.ts';
import { loadDocumentText } from '@cachescope/model/load-document.ts';
import type { ExportFormat } from './commands.ts';
import { download } from './download.ts';

const formats: Readonly<Record<ExportFormat, { type: string; text: (load: Load) => string }>> = {
  har: { type: 'application/json', text: (load) => JSON.stringify(harOf([load], version())) },
  csv: { type: 'text/csv', text: loadCsv },
  json: { type: 'application/json', text: (load) => loadDocumentText([load]) },
};

/** Saves a load as a file of the user's. Returns the file's name. */
export function exportLoad(load: Load, format: ExportFormat): string {
  const name = `${fileName(load)}.${format}`;
  download(name, formats[format].text(load), formats[format].type);
  return name;
}

/** Host and time, of characters that every file system takes. */
function fileName({ url, startedAt }: Load): string {
  const host = /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? 'load';
  const time = startedAt.replaceAll(/[:.]/g, '').slice(0, 17);
  return `${host}_${time}`.replaceAll(/[^\w.-]/g, '-');
}

/** This program's; a report stands outside the extension and does not know it. */
function version(): string {
  return globalThis.chrome?.runtime?.getManifest?.()['version'] ?? 'unknown';
}
