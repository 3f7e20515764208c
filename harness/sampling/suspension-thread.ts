// Looks for suspended processes while reads are timed. It is a thread of the harness, so that it stands still with it.
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { linuxMachine } from './linux-machine.ts';
import { lookMs, SuspensionLog } from './suspension.ts';
import type { WatchAnswer, WatchRequest } from './suspension-witness.ts';

/** Ahead of the processes that it looks at, whose work would delay its looks. Only root may set it. */
const priority = -10;

try {
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), priority);
} catch {
  // The looks come later on a busy machine.
}

const log = new SuspensionLog(linuxMachine());
let timer: NodeJS.Timeout | undefined;

function look(): void {
  log.look();
  timer = setTimeout(look, lookMs);
}

parentPort?.on('message', ({ kind, id, servers }: WatchRequest) => {
  clearTimeout(timer);
  let suspensions: WatchAnswer['suspensions'] = [];
  if (kind === 'begin') log.begin(id, servers);
  else suspensions = log.end(id);
  if (log.isWatching) timer = setTimeout(look, lookMs);
  const answer: WatchAnswer = { id, suspensions };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(answer);
});
