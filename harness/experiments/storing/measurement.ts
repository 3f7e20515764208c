import { withheldWarnings } from '@cachescope/model/features/variant-pair.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { unflagged } from '@cachescope/model/run/flags.ts';
import {
  storingCellKey,
  type StoringReading,
  type StoringRun,
} from '@cachescope/model/storing/run.ts';
import { variantPairsOf } from '@cachescope/model/storing/summary.ts';
import { cellsWithoutUse } from '../../lab/cells-without-use.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { Found } from '../experiment.ts';
import { StoringBrowser, type StoringLab } from './browser.ts';
import { ampleBytes } from './launch-size.ts';
import type { StoringAsked } from './options.ts';
import { openLab, takePasses } from './passes.ts';

/** What the experiment needs. */
export type StoringFound = Found & StoringAsked;

type Session = RunSession<StoringRun, StoringReading, StoringFound>;

/** Takes all passes. */
export async function measureStoring(session: Session): Promise<string | null> {
  const { plan } = session.found;
  const lab = await openLab(session, session.found, plan);
  await begin(session, lab);
  await takePasses(lab, plan, {
    host: session,
    keep: (reading) => session.keep({ sequence: session.lines.length, ...reading }),
    seen: () => {
      session.run.evidence ??= [...lab.evidence].map(([variant, left]) => ({ variant, ...left }));
    },
  });
  for (const warning of withheldWarnings(variantPairsOf(session.run, session.lines)))
    session.warn(warning);
  return session.shouldStop() ? null : lacking(session.lines, session);
}

async function begin(session: Session, lab: StoringLab): Promise<void> {
  const { plan, chromiumPath: path } = session.found;
  await using first = await StoringBrowser.launch(lab, 'first', { name: 'first' }, ampleBytes);
  const { version, flags } = first.browser;
  const { timerStepMs } = first.page;
  const chromium = { version, path, flags };
  await session.begin({ chromium, storage: 'ordinary storage', timerStepMs }, { plan });
}

/** What a run lacks, as text; null: nothing. `warn` is called where readings are flagged. */
export function lacking(
  lines: readonly StoringReading[],
  { warn }: { warn: (sentence: string) => void },
): string | null {
  const flagged = lines.length - unflagged(lines).length;
  if (flagged > 0) warn(`${flagged} of ${lines.length} readings are flagged and excluded.`);
  return lines.length > flagged
    ? cellsWithoutUse('reading', cellsLacking(lines))
    : 'no usable reading';
}

/**
 * The cells of each browser without a usable reading, by name. Not named are a measure without any value,
 * because it cannot be read on this system, and a cache that no response of the plan fills.
 */
export function cellsLacking(lines: readonly StoringReading[]): string[] {
  const byMeasure = Map.groupBy(lines, ({ measure }) => measure);
  const readable = [...byMeasure.values()]
    .filter((own) => own.some(({ values }) => values.length > 0))
    .flat();
  const cells = Map.groupBy(readable, (line) => `${line.variant}/${storingCellKey(line)}`);
  return [...cells.values()]
    .filter((own) => own.every(({ flags }) => flags.some((flag) => flag !== 'not-full')))
    .flatMap(([first]) => (first ? [cellName(first)] : []));
}

function cellName({ variant, measure, body, bytes, coding }: StoringReading): string {
  return `${measure} of ${body} of ${byteSize(bytes)} as ${coding} with ${variant}`;
}
