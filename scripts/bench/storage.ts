import { calibrationFinding } from '@cachescope/harness/environment/delay-calibration.ts';
import { delayRounding, kernelTickMs } from '@cachescope/harness/environment/delay-rounding.ts';
import { machineFiles } from '@cachescope/harness/environment/machine-files.ts';
import { createPrivilege, type Privilege } from '@cachescope/harness/privilege.ts';
import { plainTable } from '@cachescope/harness/results/plain-table.ts';
import { wrap } from '@cachescope/harness/results/wrap.ts';
import { kernelHasDelayTarget } from '@cachescope/harness/storage/back-ends/dm-delay.ts';
import { changesLive, missingPackages } from '@cachescope/harness/storage/storage.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { findMachine } from '../dm-delay/find-machine.ts';
import { readCalibration } from '../dm-delay/observations.ts';
import { temporaryDirectory } from './place.ts';
import { type StorageTrial, trialDelaysMs, tryStorage } from './storage-trial.ts';

const columns = 80;
const rounds = 5;
const reads = 16;
/** An emulated processor needs at most a quarter of a minute. */
const machineLimitMs = 10 * 60_000;

const goals = { attachMs: 700, detachMs: 700, liveChangeMs: 50 } as const;

const say = (line: string) => console.error(line);

function msText(times: readonly number[]): string {
  return `${(median(times) ?? Number.NaN).toFixed(0)} ms`;
}

/** The calibration table: for each delay the measured delay and its error. */
function calibrationTable({ proofs }: StorageTrial): string {
  const rows = trialDelaysMs.map((delayMs) => {
    const same = proofs.filter(({ requestedDelayMs }) => requestedDelayMs === delayMs);
    const measuredMs = median(same.map(({ p50Ms }) => p50Ms)) ?? Number.NaN;
    const errorMs = measuredMs - delayMs;
    const share = (100 * errorMs) / delayMs;
    const figures = [measuredMs.toFixed(2), errorMs.toFixed(2), share.toFixed(1)];
    return [`${delayMs} ms`, ...figures];
  });
  return plainTable(['requested', 'measured', 'error', 'error, %'], 0, rows);
}

function print(kind: StorageKind, where: string, trial: StorageTrial, tickMs: number | null): void {
  const isLive = changesLive(kind);
  const change = isLive
    ? `live change ${msText(trial.changeMs)} (goal ${goals.liveChangeMs} ms)`
    : `change by attaching it again ${msText(trial.changeMs)}`;
  console.log(
    wrap(
      `${kind} (${where}): attach ${msText(trial.attachMs)} (goal ${goals.attachMs} ms), ` +
        `detach ${msText(trial.detachMs)} (goal ${goals.detachMs} ms), ${change}; ` +
        `medians of ${trial.attachMs.length} and ${trial.changeMs.length}`,
      columns,
    ),
  );
  console.log(calibrationTable(trial));
  console.log(`${calibrationFinding(trial.proofs).what} (goal: a median within 10 %)`);
  const rounding = delayRounding(trial.proofs, tickMs);
  if (rounding !== null) console.log(wrap(rounding, columns));
  console.log();
}

/** dm-delay in the kernel of the test machine, when this computer's kernel has none. */
async function measureInMachine(privilege: Privilege): Promise<void> {
  const machine = await findMachine(privilege, say);
  if ('lacking' in machine) return console.log(`dm-delay is not measured: ${machine.lacking}`);
  using directory = temporaryDirectory();
  const outDirectory = directory.path;
  await machine.boot({ task: 'calibration', outDirectory, limitMs: machineLimitMs });
  print('dm-delay', machine.title, readCalibration(outDirectory), machine.tickMs);
}

/** Time to set up slow storage, and the error of its delays, for each back end. */
export async function measureStorage(): Promise<void> {
  const privilege = createPrivilege({ dryRun: false, say });
  for (const kind of ['nbd-live', 'nbd-delay'] as const) {
    const lacking = missingPackages(kind);
    if (lacking.length > 0) console.log(`${kind} is not measured: it needs ${lacking.join(', ')}`);
    else print(kind, 'here', await tryStorage(kind, privilege, rounds, reads), null);
  }
  if (!(await kernelHasDelayTarget(privilege))) return measureInMachine(privilege);
  const tickMs = kernelTickMs(machineFiles());
  print('dm-delay', 'here', await tryStorage('dm-delay', privilege, rounds, reads), tickMs);
}
