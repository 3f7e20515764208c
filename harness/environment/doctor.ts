import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { findChromium } from '../browser/find.ts';
import { CachescopeError, messageOf } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { missingPackages, resolveStorageKind } from '../storage/storage.ts';
import { featuresFinding, startFindings } from './browser-findings.ts';
import { checkMachine } from './checks.ts';
import { fuse, loopDevices } from './checks/kernel.ts';
import { calibrate, calibrationFinding, uncalibrated, unusable } from './delay-calibration.ts';
import { delayRounding, kernelTickMs } from './delay-rounding.ts';
import type { Finding } from './finding.ts';
import { machineFiles } from './machine-files.ts';
import { mayInstall, missingText } from './setup/missing.mjs';

/** The result of the doctor. */
export interface Examination {
  takenAt: string;
  findings: Finding[];
  /** Measured delays by requested ones; empty when none was measured, and a finding gives the reason. */
  calibration: DelayProof[];
}

export interface ExaminationOptions {
  storage: 'auto' | StorageKind;
  browser: string | undefined;
  /** Only the checks that a run makes too: no launch, no storage attached. */
  quick: boolean;
  privilege: Privilege;
  say: (line: string) => void;
  /** Once requested, no further measurement begins: the examination is incomplete. */
  interrupt: { readonly requested: boolean };
}

/**
 * Examines this machine: the checks of a run, and those that take longer: the timer in a page, the delays of the
 * storage.
 *
 * @throws CachescopeError CS_STORAGE_LEFT when the storage could not be removed.
 */
export async function examine(options: ExaminationOptions): Promise<Examination> {
  const { storage, browser, quick, privilege, say, interrupt } = options;
  const takenAt = new Date().toISOString();
  say('Checking the machine');
  let findings = await checkMachine({ storage, browser });
  if (quick) return { takenAt, findings, calibration: [] };
  const chromium = await findChromium(browser);
  let isStarted = true;
  if (chromium && !interrupt.requested) {
    say('Starting the browser and measuring the timer in a page');
    const { timer, sandbox, ...start } = await startFindings(chromium.path, privilege);
    isStarted = start.isStarted;
    // The start itself is a better witness of the sandbox than the trial of the quick check.
    findings = findings.map((finding) => (finding.id === sandbox?.id ? sandbox : finding));
    findings.push(timer);
  }
  if (chromium && isStarted && !interrupt.requested) {
    say('Looking for features in the browser');
    findings.push(await featuresFinding(chromium.path));
  }
  if (interrupt.requested) return { takenAt, findings, calibration: [] };
  const obstacle = findings.find(({ id, status }) => ofDisk.has(id) && status === 'refused');
  const { finding, proofs } = await calibration(options, obstacle);
  if (finding) findings.push(finding);
  return { takenAt, findings, calibration: proofs };
}

/** Checks without which no slow disk can be made. */
const ofDisk: ReadonlySet<string> = new Set([fuse.id, loopDevices.id]);

async function calibration(
  { storage, privilege, say, interrupt }: ExaminationOptions,
  obstacle: Finding | undefined,
): Promise<{ finding: Finding | null; proofs: DelayProof[] }> {
  const kind = await resolveStorageKind(storage, privilege);
  if (kind === 'none') return { finding: null, proofs: [] };
  if (obstacle !== undefined)
    return { finding: uncalibrated('No delay was measured: there is no slow disk'), proofs: [] };
  const missing = missingPackages(kind);
  if (missing.length > 0) {
    const purpose = `No delay was measured: ${kind}`;
    const { needs, message, hint } = missingText(purpose, missing, privilege.obstacle());
    if (mayInstall(privilege.obstacle()))
      return { finding: uncalibrated(needs, 'Nothing: the first run installs them.'), proofs: [] };
    return { finding: uncalibrated(message, hint), proofs: [] };
  }
  try {
    const proofs = await calibrate(kind, privilege, say, interrupt);
    const finding = calibrationFinding(proofs);
    const rounding = delayRounding(proofs, kernelTickMs(machineFiles()));
    return { finding: rounding === null ? finding : { ...finding, todo: rounding }, proofs };
  } catch (error) {
    if (error instanceof CachescopeError && error.code === 'CS_STORAGE_LEFT') throw error;
    const what = `The storage ${kind} cannot be used: ${messageOf(error)}`;
    return { finding: unusable(what), proofs: [] };
  }
}
