import { hasColour, say, showJson } from '../terminal.ts';
import { Command } from 'commander';
import { storageKinds } from '@cachescope/model/run/sample.ts';
import { examine } from '../environment/doctor.ts';
import { examinationText } from '../environment/doctor-text.ts';
import { environmentRules, refusesUnder } from '../environment/environment-rule.ts';
import { withoutInterrupt } from '../lab/interrupt.ts';
import { createPrivilege } from '../privilege.ts';
import { claimMachine } from '../storage/journal/machine-claim.ts';
import { reap } from '../storage/journal/reaper.ts';
import { oneOf } from '../options/name-reading.ts';
import type { OptionValues } from '../options/option-table.ts';
import { sharedOptions } from '../options/shared-options.ts';
import { runWithTable } from '../options/table-command.ts';

const refusedExitCode = 3;
const interruptedExitCode = 130;

const table = {
  storage: {
    value: '<kind>',
    description: 'auto, dm-delay, nbd-live, nbd-delay or none (no calibration)',
    default: 'auto',
    read: oneOf(['auto', ...storageKinds]),
  },
  browser: sharedOptions.browser,
  env: {
    value: '<rule>',
    description: 'throw: end with 3 when a check refuses; warn, skip: end with 0',
    default: 'throw',
    read: oneOf(environmentRules),
  },
  quick: { description: 'only the checks of a run: no launch, no storage' },
  json: { description: 'print findings and calibration as JSON' },
} as const;

async function doctor(asked: OptionValues<typeof table>): Promise<void> {
  const privilege = createPrivilege({ dryRun: false, say });
  await reap(privilege, say);
  const { storage, browser, quick } = asked;
  // A launch or a calibration would disturb another run, and be disturbed by it.
  const claim = quick ? null : await claimMachine({ wait: false, say });
  const examination = await withoutInterrupt(say, async (interrupt) => {
    const options = { storage, browser, quick, privilege, say, interrupt };
    const examined = await examine(options).finally(() => claim?.release());
    return interrupt.requested ? null : examined;
  });
  if (examination === null) {
    process.exitCode = interruptedExitCode;
    return;
  }
  if (asked.json) showJson(examination);
  // Not by show(), which would show its colours as question marks.
  else process.stdout.write(examinationText(examination, { colour: hasColour() }));
  if (refusesUnder(asked.env, examination.findings)) process.exitCode = refusedExitCode;
}

const examples = `
Examples:
  npm run doctor
  npm run doctor -- --quick              only the checks
  npm run doctor -- --storage nbd-live --json`;

/** `cachescope doctor`. */
export function doctorCommand(): Command {
  const command = new Command('doctor')
    .summary('check whether this machine is fit to measure')
    .description(
      'Checks conditions that results depend on, measures the timer in a page and the delays of the slow storage, and says ' +
        'what to do. Undoes all its changes.',
    )
    .addHelpText('after', examples);
  return runWithTable(command, table, doctor);
}
