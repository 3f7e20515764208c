import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { Privilege } from '../privilege.ts';
import type { FindingStatus } from '@cachescope/model/run/machine-finding.ts';
import type { Finding } from './finding.ts';
import type { MachineFiles } from './machine-files.ts';

/** The input of a check. */
export interface Subject {
  files: MachineFiles;
  privilege: Privilege;
  /** Storage that the run will use. */
  storage: 'auto' | StorageKind;
  /** Path of the Chromium to measure; null when none was found. */
  chromiumPath: string | null;
  /** Directory of images and profiles. */
  temporaryDirectory: string;
  /** True for the user root. */
  isRoot: boolean;
  /** Findings from before the run, if this is the check after it; empty otherwise. */
  before: readonly Finding[];
}

/** The result of one check. */
export interface Answer {
  status: FindingStatus;
  what: string;
  todo?: string;
  value?: number;
}

/** One property of a machine that affects a result. */
export interface Check {
  id: string;
  /** Why it matters for a result. */
  why: string;
  /** Examines the machine without changing it. */
  examine(subject: Subject): Answer | Promise<Answer>;
}

/** A check's finding. An error of a check is not thrown: the finding is then unknown. */
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
