import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { Privilege } from '../privilege.ts';
import type { FindingStatus } from '@cachescope/model/run/machine-finding.ts';
import type { Finding } from './finding.ts';
import type { MachineFiles } from './machine-files.ts';

/** What a check looks at. */
export interface Subject {
  files: MachineFiles;
  privilege: Privilege;
  /** Storage that the run is to use. */
  storage: 'auto' | StorageKind;
  /** Path of the Chromium to measure; null when none was found. */
  chromiumPath: string | null;
  /** Where images and profiles lie. */
  temporaryDirectory: string;
  /** True for the user root. */
  isRoot: boolean;
  /** Findings from before the run, when this is the check after it; empty otherwise. */
  before: readonly Finding[];
}

/** What one check answers. */
export interface Answer {
  status: FindingStatus;
  what: string;
  todo?: string;
  value?: number;
}

/** One thing about a machine that a result depends on. */
export interface Check {
  id: string;
  /** Why it matters for a result. */
  why: string;
  /** Looks, and changes nothing. */
  examine(subject: Subject): Answer | Promise<Answer>;
}

/** A check's finding. What stops a check is found out, not thrown: the machine does not tell then. */
export async function findingOf(check: Check, subject: Subject): Promise<Finding> {
  const { id, why } = check;
  try {
    const { status, what, todo, value } = await check.examine(subject);
    return { id, status, what, why, todo: todo ?? null, ...(value !== undefined && { value }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { id, status: 'unknown', what: `The check failed: ${reason}`, why, todo: null };
  }
}
