import { parsedJson } from '@cachescope/model/parsed.ts';
import { type ReclaimRunDocument, savedReclaim } from '@cachescope/model/reclaim/run.ts';
import type { ShowRun } from './report-page.ts';

/** Minimum interval between requests for the run's data, ms. */
const shortestPauseMs = 2_000;
/**
 * The pause is this many times the duration of a request and draw: drawing uses the machine on which the run is
 * measured.
 */
const restParts = 50;
/** After this many consecutive failures the server counts as stopped. */
const mostFailures = 3;

/** Follows the run for which the page was served, if there is one: draws new data until the run has ended. */
export function followRun(show: ShowRun<ReclaimRunDocument>): void {
  const element = document.querySelector<HTMLElement>('#run-document');
  if (element?.dataset['follow'] === undefined) return;
  void follow(show);
}

async function follow(show: ShowRun<ReclaimRunDocument>): Promise<void> {
  const lines: ReclaimRunDocument['lines'] = [];
  let from = 0;
  for (let failures = 0; failures < mostFailures;) {
    const startedAt = performance.now();
    try {
      const part = await readPart(from);
      from += part.bytes;
      lines.push(...part.document.lines);
      const document = { run: part.document.run, lines };
      show(document, statusOf(document));
      if (document.run.status !== 'running' && part.bytes === 0) return;
      failures = 0;
    } catch (error) {
      failures++;
      show(undefined, `The run could not be requested: ${String(error)}`);
    }
    const tookMs = performance.now() - startedAt;
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(shortestPauseMs, restParts * tookMs)),
    );
  }
  show(undefined, 'The run has ended: its report.html shows the complete run.');
}

function statusOf({ run, lines }: ReclaimRunDocument): string {
  const seconds = Math.round((lines.findLast(({ kind }) => kind === 'window')?.atMs ?? 0) / 1000);
  return run.status === 'running'
    ? `Live: ${seconds} s so far`
    : `The run has ended: ${run.status}`;
}

/** The run, and its lines from byte `from` on: without its number of lines, of which these are a part. */
async function readPart(from: number): Promise<{ document: ReclaimRunDocument; bytes: number }> {
  const [run, lines] = await Promise.all([fetched('run.json'), fetched(`lines?from=${from}`)]);
  const text = new TextDecoder().decode(lines);
  const json = parsedJson('run.json', new TextDecoder().decode(run));
  if ('problems' in json) throw new Error(json.problems.join(' '));
  const read = savedReclaim.readParts(
    { name: 'run.json', json: { ...(json.value as object), lineCount: undefined } },
    { name: savedReclaim.lineFile, text },
  );
  if ('problems' in read) throw new Error(read.problems.join(' '));
  return { document: read.value, bytes: lines.byteLength };
}

async function fetched(path: string): Promise<ArrayBuffer> {
  const answer = await fetch(path, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`);
  return answer.arrayBuffer();
}
