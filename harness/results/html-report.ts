import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CachescopeError } from '../error.ts';

/** The element of the built report that contains the run; empty in the template. */
const placeholder = /(<script type="application\/json" id="run-document">)(<\/script>)/;

/** The built report of an experiment, without a run. */
export function reportTemplate(extensionDirectory: string, experiment: string): string {
  return join(extensionDirectory, 'reports', `${experiment}.html`);
}

/**
 * Inserts a run into the built report: one file that needs no network. The document is in a script element, so every
 * `<` in it is escaped; nothing in a run can close that element.
 */
export async function htmlReport(
  extensionDirectory: string,
  document: { run: { experiment: string } },
): Promise<string> {
  const path = reportTemplate(extensionDirectory, document.run.experiment);
  const template = await readFile(path, 'utf8');
  if (!placeholder.test(template)) {
    throw new CachescopeError('CS_REPORT_TEMPLATE', `${path} has no place for a run`, {
      hint: 'Build it again: npm run build:extension',
    });
  }
  const json = JSON.stringify(document).replaceAll('<', String.raw`\u003c`);
  return template.replace(placeholder, (_, open: string, close: string) => open + json + close);
}
