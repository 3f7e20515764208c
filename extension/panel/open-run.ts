import { type NamedText, type Parsed, readRunFiles } from '@cachescope/model/run-document.ts';
import type { RunDocument } from '@cachescope/model/run.ts';

/** Files beyond this are not read: a text must fit the browser's memory several times over. 256 MiB. */
const mostBytes = 256 * 1024 ** 2;

/** Reads the chosen files. Never rejects: what is wrong with them comes back as problems. */
export async function openFiles(files: readonly File[]): Promise<Parsed<RunDocument>> {
  const problems = files
    .filter((file) => file.size > mostBytes)
    .map(
      (file) =>
        `${file.name} is ${Math.round(file.size / 1024 ** 2)} MiB; at most ${mostBytes / 1024 ** 2} MiB can be opened here.`,
    );
  if (problems.length > 0) return { problems };
  try {
    return readRunFiles(await Promise.all(files.map(named)));
  } catch (error) {
    return { problems: [`The files could not be read: ${String(error)}`] };
  }
}

async function named(file: File): Promise<NamedText> {
  return { name: file.name, text: await file.text() };
}

/** The run that the page itself carries, as report.html does; undefined when it carries none. */
export function embeddedRun(): Parsed<RunDocument> | undefined {
  const text = document.querySelector('#run-document')?.textContent ?? '';
  return text.trim() === '' ? undefined : readRunFiles([{ name: 'This report', text }]);
}
