import { tmpdir } from 'node:os';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { findChromium } from '../browser/find.ts';
import { createPrivilege } from '../privilege.ts';
import { type Check, findingOf, type Subject } from './check.ts';
import { chromium, otherChromium, sandbox } from './checks/browser.ts';
import { diskSpace, diskSpeed, privileges } from './checks/disk.ts';
import { container, packages } from './checks/installation.ts';
import { delayTarget, fuse, kernel, loopDevices } from './checks/kernel.ts';
import { memory, swap } from './checks/memory.ts';
import { governor, load, power, processor, throttling, turbo } from './checks/processor.ts';
import type { Finding } from './finding.ts';
import { machineFiles } from './machine-files.ts';

/** Every check that launches no browser and attaches no storage, in display order. */
export const checks: readonly Check[] = [
  processor,
  governor,
  turbo,
  load,
  throttling,
  memory,
  swap,
  otherChromium,
  power,
  container,
  kernel,
  delayTarget,
  privileges,
  packages,
  loopDevices,
  fuse,
  chromium,
  sandbox,
  diskSpace,
  diskSpeed,
];

/** Inputs of the checks. */
export interface CheckOptions {
  storage: 'auto' | StorageKind;
  /** `--browser`, as the user named it. */
  browser?: string | undefined;
  /** Findings from before the run, if this is the check after it. */
  before?: readonly Finding[];
  /** Root directory of /proc, /sys and /lib/modules. Default `/`. */
  root?: string;
}

/**
 * Checks this machine, in about a second and without changing anything. Never throws: the finding of a failed check is
 * unknown.
 */
export async function checkMachine(options: CheckOptions): Promise<Finding[]> {
  const found = await findChromium(options.browser).catch(() => null);
  const subject: Subject = {
    files: machineFiles(options.root),
    privilege: createPrivilege({ dryRun: false, say: () => undefined }),
    storage: options.storage,
    chromiumPath: found?.path ?? null,
    otherBrowsers: found?.others ?? [],
    temporaryDirectory: tmpdir(),
    isRoot: process.getuid?.() === 0,
    before: options.before ?? [],
  };
  const findings: Finding[] = [];
  // One after another: the check of the disk must not overlap with the start of Chromium.
  for (const check of checks) findings.push(await findingOf(check, subject));
  return findings;
}
