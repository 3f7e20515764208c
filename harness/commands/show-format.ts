import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { AskedFormat } from '../results/formats/formats.ts';
import { unfinishedText } from '../results/status.ts';
import { requireStdout, say, show, showBytes, showJson } from '../terminal.ts';

/** Shows a run or a comparison in a format on stdout, and its caveats on stderr. Writes no file. */
export function showFormat({ format, labels }: AskedFormat, document: RunDocument): void {
  requireStdout();
  const rendered = format.render(document, labels);
  if (rendered instanceof Uint8Array) showBytes(rendered);
  else if (typeof rendered === 'string') show(rendered);
  else showJson(rendered);
  for (const warning of foldedWarnings(document.run.warnings)) say(`Warning: ${warning}`);
  const unfinished = unfinishedText(document.run);
  if (unfinished !== null) say(unfinished);
}
