import { hasColour, say, showJson } from '../terminal.ts';
import { Command } from 'commander';
import { storageKinds } from '@cachescope/model/run/sample.ts';
import { examine } from '../environment/doctor.ts';
import { examinationText } from '../environment/doctor-text.ts';
import { environmentRules, refusesUnder } from '../environment/environment-rule.ts';
import { usageError } from '../error.ts';
import { withoutInterrupt } from '../lab/interrupt.ts';
import { createPrivilege } from '../privilege.ts';
import { claimMachine } from '../storage/journal/machine-claim.ts';
import { reap } from '../storage/journal/reaper.ts';
import { oneOf } from '../options/name-reading.ts';
import { unknownWords } from '../options/unknown-words.ts';

const refusedExitCode = 3;
const interruptedExitCode = 130;

interface DoctorFlags {
  storage: string;
  browser?: string;
  env: string;
  quick: boolean;
  json: boolean;
}

const readStorage = oneOf(['auto', ...storageKinds]);
const readRule = oneOf(environmentRules);

async function doctor(flags: DoctorFlags, command: Command): Promise<void> {
  const problems = unknownWords(command);
  const storage = readStorage(flags.storage, '--storage', problems);
  const rule = readRule(flags.env, '--env', problems);
  if (problems.length > 0) throw usageError(problems);
  const privilege = createPrivilege({ dryRun: false, say });
  await reap(privilege, say);
  const { browser, quick } = flags;
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
  if (flags.json) showJson(examination);
  // Not by show(), which would show its colours as question marks.
  else process.stdout.write(examinationText(examination, { colour: hasColour() }));
  if (refusesUnder(rule, examination.findings)) process.exitCode = refusedExitCode;
}

const examples = `
Examples:
  npm run doctor
  npm run doctor -- --quick              only the checks
  npm run doctor -- --storage nbd-live --json`;

/** `cachescope doctor`. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('check whether this machine is fit to measure')
    .description(
      'Checks conditions that results depend on, measures the timer in a page and the delays of the slow storage, and says ' +
        'what to do. Undoes all its changes.',
    )
    .option(
      '--storage <kind>',
      'auto, dm-delay, nbd-live, nbd-delay or none (no calibration)',
      'auto',
    )
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option(
      '--env <rule>',
      'throw: end with 3 when a check refuses; warn, skip: end with 0',
      'throw',
    )
    .option('--quick', 'only the checks of a run: no launch, no storage', false)
    .option('--json', 'print findings and calibration as JSON', false)
    .addHelpText('after', examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(doctor);
}
