import { join } from 'node:path';
import { messageOf } from '../error.ts';
import type { ResultFiles, Results, ResultTools, Writer } from '../results/results.ts';

/**
 * Writes the outputs of a run that has ended. When that fails, for example on a full disk, the results are derived
 * again without writing, so that they can be shown without a new measurement: `isWritten` is then false, and `say` is
 * called with what to do.
 */
export async function writtenResults<Document>(
  write: Writer<Document>,
  files: ResultFiles,
  document: Document,
  tools: ResultTools,
  say: (line: string) => void,
): Promise<{ results: Results; isWritten: boolean }> {
  try {
    return { results: await write(files, document, tools), isWritten: true };
  } catch (error) {
    const { path } = files;
    const nowhere = { path, write: (name: string) => Promise.resolve(join(path, name)) };
    const results = await write(nowhere, document, { ...tools, chromiumPath: null });
    say(
      `CS_SYSTEM: the results could not be written: ${messageOf(error)}\nThe measurements are saved: run npm run report -- ${path} when there is room.`,
    );
    const status = results.status.filter((line) => !line.startsWith('Report: '));
    return { results: { ...results, status }, isWritten: false };
  }
}
