import { fileURLToPath } from 'node:url';
import type { LinkEnd } from '../../network/emulated-link.ts';
import { FarProgram } from '../../network/far-program.ts';
import type { BusyReading, FillTask } from './client.ts';
import type { ReaderOrder } from './reader-process.ts';

const program = fileURLToPath(import.meta.resolve('./reader-process.ts'));
/** Time limit of the readers beyond the trial and a file, ms: a link may be much slower than loopback. */
const slackMs = 600_000;
/** Interval at which readers hear that the run is to stop, ms. */
const stopIntervalMs = 100;

/** Reads with readers at the client's end of a link. */
export async function readBehindLink(link: LinkEnd, task: FillTask): Promise<BusyReading> {
  const { shouldStop, signal, ...plain } = task;
  const base = new URL(plain.base);
  base.hostname = link.host;
  const readers = new FarProgram(link, program);
  const tell = (kind: 'stop' | 'abort') => readers.tell({ kind } satisfies ReaderOrder);
  const stop = setInterval(() => {
    if (shouldStop()) tell('stop');
  }, stopIntervalMs);
  signal?.addEventListener('abort', () => tell('abort'));
  try {
    const order: ReaderOrder = { kind: 'read', task: { ...plain, base: base.origin } };
    return await readers.ask(order, task.timeMs + task.pace.durationMs + slackMs);
  } finally {
    clearInterval(stop);
    await readers.end();
  }
}
