import type { Results } from '../results/results.ts';
import { closingLine } from '../results/status.ts';
import { say, show, showJson, showScreen } from '../terminal.ts';

/** How results are shown. */
export interface ShownAs {
  /** summary.json in place of text. */
  json: boolean;
  /** The whole text in place of one screen. */
  verbose: boolean;
}

/** Shows the results of a run on stdout, and its status on stderr. */
export function showResults(results: Results, { json, verbose }: ShownAs): void {
  const { summary, text, details, warnings, report, status } = results;
  const closing = closingLine(warnings, report);
  if (json) {
    showJson(summary);
    say(closing);
  } else if (verbose) show(`${details}\n${closing}\n`);
  else showScreen(`${text}${closing}\n`);
  // Without a report there is no other place for them.
  if (report === null && !verbose) for (const warning of warnings) say(`Warning: ${warning}`);
  status.forEach(say);
}
