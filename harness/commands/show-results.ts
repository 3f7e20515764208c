import type { Results } from '../results/results.ts';
import { say, show, showJson } from '../terminal.ts';

/** Shows the results of a run on stdout, and its status on stderr. */
export function showResults({ summary, text, status }: Results, asJson: boolean): void {
  if (asJson) showJson(summary);
  else show(text);
  status.forEach(say);
}
