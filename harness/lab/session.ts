import type { RunBase } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { builtExtension } from '../browser/extension-build.ts';
import type { EnvironmentRule } from '../environment/environment-rule.ts';
import { type MachineWatch, watchMachine } from '../environment/machine-watch.ts';
import type { Privilege } from '../privilege.ts';
import type { Writer } from '../results/results.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import { type Interrupt, listenForInterrupt } from './interrupt.ts';
import { claimMachine } from '../storage/journal/machine-claim.ts';
import { reap } from '../storage/journal/reaper.ts';
import { showResults } from '../commands/show-results.ts';
import { writtenResults } from './written-results.ts';
import { stopAtOnce } from './stop-at-once.ts';

/** Inputs that a run of any experiment needs. */
export interface SessionOptions<Document> {
  /** Creates the run's directory, or opens a saved one. */
  open: () => Promise<RunDirectory>;
  storage: StorageKind;
  chromiumPath: string;
  privilege: Privilege;
  environment: EnvironmentRule;
  /** Wait for another run on this machine to end, instead of being refused. */
  wait: boolean;
  json: boolean;
  /** Work that an interrupt lets finish. Default `finishing this sample`. */
  finishing?: string | undefined;
  /** Writes the outputs at the end. */
  write: Writer<Document>;
  /** Called with one line for each step. */
  say: (line: string) => void;
}

/** Passed to a run. */
export interface Session {
  directory: RunDirectory;
  interrupt: Interrupt;
  machine: MachineWatch;
  extensionDirectory: string;
  chromiumPath: string;
  commandLine: string[];
}

/** A run that has ended, complete or partial. */
export interface Ended<Document> {
  document: Document;
  /** Error of the clean-up; null when nothing is left behind. */
  cleanUpError: unknown;
}

/**
 * Takes a run with exclusive use of the machine: claims it, checks it, cleans up after other programs, listens for
 * interrupts, and at the end writes and shows the results. Returns the exit code.
 *
 * @throws CachescopeError CS_BUSY, CS_ENVIRONMENT, and the error of a run that could not begin.
 */
export async function inSession<Document extends { run: RunBase }>(
  options: SessionOptions<Document>,
  take: (session: Session) => Promise<Ended<Document>>,
): Promise<number> {
  const { storage, chromiumPath, environment, wait, say } = options;
  const claim = await claimMachine({ wait, say });
  try {
    const machine = await watchMachine(environment, { storage, browser: chromiumPath });
    for (const warning of machine.warnings) say(`Warning: ${warning}`);
    await reap(options.privilege, say);
    const extensionDirectory = await builtExtension();
    return await takeIn({ machine, extensionDirectory }, options, take);
  } finally {
    claim.release();
  }
}

async function takeIn<Document extends { run: RunBase }>(
  found: Pick<Session, 'machine' | 'extensionDirectory'>,
  { open, chromiumPath, json, finishing, write, say }: SessionOptions<Document>,
  take: (session: Session) => Promise<Ended<Document>>,
): Promise<number> {
  const directory = await open();
  const atOnce = () => stopAtOnce(directory, say);
  const interrupt = listenForInterrupt(say, atOnce, Date.now, finishing);
  const commandLine = process.argv.slice(2);
  try {
    const session = { ...found, directory, interrupt, chromiumPath, commandLine };
    const { document, cleanUpError } = await take(session);
    const { results, isWritten } = await writtenResults(write, directory, document, session, say);
    showResults(results, json);
    if (cleanUpError !== null) throw cleanUpError;
    if (document.run.status === 'complete') return isWritten ? 0 : 4;
    return interrupt.requested ? 130 : 4;
  } finally {
    interrupt.dispose();
  }
}
