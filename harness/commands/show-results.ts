import type { Results } from '../results/results.ts';
import { say, show, showJson } from '../terminal.ts';

/** Shows what was derived from a run: the result on stdout, how it went on stderr. */
export function showResults({ summary, text, status }: Results, asJson: boolean): void {
  if (asJson) showJson(summary);
  else show(text);
  status.forEach(say);
}
