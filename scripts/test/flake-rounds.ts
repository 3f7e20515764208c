import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { TestReport } from './test-report.ts';

/** One round of the flake meter, as it is kept for a measurement that goes on later. */
export interface Round {
  /** The commit that was measured; with `+` when files differ from it. */
  commit: string;
  /** Busy processes beside the tests. */
  busy: number;
  report: TestReport;
}

export function keepRound(path: string, { commit, busy, report }: Round): void {
  appendFileSync(path, `${JSON.stringify({ commit, busy, report: [...report] })}\n`);
}

/** The rounds of an earlier measurement; a line that was cut off while it was written is left out. */
export function keptRounds(path: string): Round[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const round = JSON.parse(line);
    return { ...round, report: new Map(round.report) };
  });
}

/** Files in which rounds differ from what is asked for, which makes them rounds of another measurement; each once. */
export function otherFiles(
  rounds: readonly Pick<Round, 'report'>[],
  asked: readonly string[],
): string[] {
  const differing = rounds.flatMap(({ report }) => {
    const ran = [...report.keys()].filter((name) => isAbsolute(name));
    // A failure of the runner stands under the name of its project, and its round may lack files.
    const lacking = ran.length < report.size ? [] : asked.filter((file) => !ran.includes(file));
    return [...ran.filter((file) => !asked.includes(file)), ...lacking];
  });
  return [...new Set(differing)];
}

/** Which commit was measured in which rounds, such as `9e63da3 in rounds 1 to 3, 33dfd56+ in round 4`. */
export function measuredCommits(rounds: readonly Pick<Round, 'commit'>[]): string {
  const parts: { commit: string; from: number; to: number }[] = [];
  for (const [index, { commit }] of rounds.entries()) {
    const last = parts.at(-1);
    if (last?.commit === commit) last.to = index + 1;
    else parts.push({ commit, from: index + 1, to: index + 1 });
  }
  const span = (from: number, to: number) =>
    from === to ? `round ${from}` : `rounds ${from} to ${to}`;
  return parts.map(({ commit, from, to }) => `${commit} in ${span(from, to)}`).join(', ');
}
