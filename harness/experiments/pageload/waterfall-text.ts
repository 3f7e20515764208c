import { greatest } from '@cachescope/model/extremes.ts';
import { pageArmLabels, type PageLoad, pageStateLabels } from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import { digits, unknownText } from '@cachescope/model/quantity.ts';
import { printable } from '@cachescope/model/printable.ts';

/** Width of the bars, characters, so that a line fits 80 columns. */
const width = 30;

/** The waterfall of one load as text: `-` waits for the first byte, `=` receives. */
export function waterfallText({ resources }: Page, load: PageLoad): string {
  const { cell, rows, loadMs } = load;
  const toMs = Math.max(1, loadMs ?? 0, greatest(rows.map(({ endMs }) => endMs ?? 0)));
  const delay = cell.storage === 'none' ? '' : `, ${digits(cell.delayMs)} ms`;
  const title = `WATERFALL: ${pageArmLabels[cell.arm]}, ${pageStateLabels[cell.state].toLowerCase()}${delay} (0 to ${digits(toMs)} ms)`;
  const lines = rows.map((row) => {
    const name = printable(resources[row.place]?.name ?? '').slice(0, 20);
    const end = row.endMs === null ? unknownText : digits(row.endMs);
    return `${name.padEnd(21)}${(row.source ?? 'unknown').slice(0, 14).padEnd(15)}${end.padStart(8)}  ${bar(row, toMs)}`;
  });
  return `${title}\n${'-'.repeat(title.length)}\n${lines.join('\n')}\n`;
}

function bar({ startMs, responseStartMs, endMs }: PageLoad['rows'][number], toMs: number): string {
  if (startMs === null || endMs === null) return '';
  const at = (ms: number) => Math.max(0, Math.min(width - 1, Math.floor((width * ms) / toMs)));
  const [from, first, to] = [at(startMs), at(responseStartMs ?? startMs), at(endMs)];
  return `${' '.repeat(from)}${'-'.repeat(Math.max(0, first - from))}${'='.repeat(Math.max(1, to - Math.max(from, first) + 1))}`;
}
