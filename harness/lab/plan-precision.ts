import { fewestLaunches } from '@cachescope/model/statistics/launch-level.ts';
import { type Design, plannedPrecision } from '@cachescope/model/statistics/planned-precision.ts';

/** The option that sets what takes the place of a launch, and its plural. */
interface Repeated {
  option: string;
  plural: string;
}

/** What a plan of a dry run can show: the expected width of intervals, or what it needs to have any. */
export function precisionText(
  design: Design,
  { option, plural }: Repeated = { option: '--launches', plural: 'launches' },
): string {
  const planned = plannedPrecision(design);
  if (planned === null)
    return `no intervals and no verdicts: they need ${fewestLaunches} ${plural} (${option} ${fewestLaunches})`;
  const [level, gap] = [planned.level, planned.gap].map((share) =>
    Number((100 * share).toPrecision(2)),
  );
  return `about ±${level} % for a value and ±${gap} % for a gap, where single times vary by 5 %`;
}
