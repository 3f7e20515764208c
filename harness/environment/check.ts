import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { type Answer, answered, type Finding, unknown } from './finding.ts';
import type { MachineFiles } from './machine-files.ts';

/** The input of a check. */
export interface Subject {
  files: MachineFiles;
  privilege: Privilege;
  /** Storage that the run will use. */
  storage: 'auto' | StorageKind;
  /** Path of the Chromium to measure; null when none was found. */
  chromiumPath: string | null;
  /** Other browsers on this machine, for users; empty: none, or the user named the one to measure. */
  otherBrowsers: readonly string[];
  /** Directory of images and profiles. */
  temporaryDirectory: string;
  /** True for the user root. */
  isRoot: boolean;
  /** Findings from before the run, if this is the check after it; empty otherwise. */
  before: readonly Finding[];
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
  try {
    return answered(check, await check.examine(subject));
  } catch (error) {
    return answered(check, unknown(`The check failed: ${messageOf(error)}`));
  }
}
