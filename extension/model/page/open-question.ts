import type { RunBase } from '../run/base.ts';
import { fewestLaunches } from '../statistics/launch-level.ts';
import type { Verdict } from '../statistics/verdict.ts';

/** The launches of a run, and the option that sets them. */
export interface Repetition {
  launches: number;
  /** Absent: `--launches`. */
  option?: string;
}

/**
 * What would probably decide the comparisons that are not decided, with the time of the whole run; none where all are
 * decided, and where nothing is known of what would.
 */
export function openQuestion(
  { commandLine, timeSpent }: RunBase,
  verdicts: readonly Pick<Verdict, 'outcome' | 'reason' | 'more'>[],
  { launches, option = '--launches' }: Repetition,
): string[] {
  const open = verdicts.filter(({ outcome }) => outcome === 'UNKNOWN');
  const needed = open.flatMap(({ reason, more }) => {
    if (reason === 'too few launches') return [fewestLaunches];
    return more && !more.atLeast ? [launches + more.launches] : [];
  });
  if (needed.length === 0) return [];
  const wanted = Math.max(...needed);
  const minutes = timeSpent && Math.ceil((timeSpent.totalMs / launches) * (wanted / 60_000));
  const time = minutes ? `, about ${minutes} min` : '';
  const [whole = '', short = ''] = commandsWith(commandLine, option, wanted).map(
    (command) => `To decide ${needed.length} more${time}: ${command}`,
  );
  return [whole.length <= mostColumns ? whole : short];
}

/** A longer line would tear the command. */
const mostColumns = 80;

/** The command once more with another value, whole and in words. */
function commandsWith([name = '', ...words]: readonly string[], option: string, value: number) {
  const at = words.indexOf(option);
  const others = words.filter(
    (word, place) =>
      (at < 0 || (place !== at && place !== at + 1)) && !word.startsWith(`${option}=`),
  );
  const inWords = `the same command with ${option} ${value}`;
  const command = `npm run ${name} -- ${[...others, option, `${value}`].join(' ')}`;
  return [name === '' ? inWords : command, inWords];
}
