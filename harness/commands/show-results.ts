import type { Results } from '../results/results.ts';

/** Shows what was derived from a run: the result on stdout, how it went on stderr. */
export function showResults({ summary, text, status }: Results, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(summary, null, 2)}\n` : text);
  process.stderr.write(status.map((line) => `${line}\n`).join(''));
}
