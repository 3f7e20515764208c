import { styleText } from 'node:util';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import { printableLines } from '@cachescope/model/printable.ts';
import { figureText } from '../results/figures.ts';
import { plainTable } from '../results/plain-table.ts';
import { wrap } from '../results/wrap.ts';
import type { Examination } from './doctor.ts';
import { type FindingStatus, findingStatuses } from '@cachescope/model/run/machine-finding.ts';
import type { Finding } from './finding.ts';
import { withCommandApart } from './setup/terminal-text.mjs';

const columns = 80;
/** Glyph and colour of each status: glyph and word carry the same information as the colour. */
const looks = {
  ok: ['✓', 'green'],
  note: ['·', 'cyan'],
  warning: ['!', 'yellow'],
  refused: ['✗', 'red'],
  unknown: ['?', 'dim'],
} as const satisfies Record<FindingStatus, [glyph: string, colour: string]>;
/** Glyphs and words are padded to this width. */
const labelColumns = 10;
const indent = ' '.repeat(labelColumns);

/** Properties of the output; a terminal gets colours unless NO_COLOR is set. */
export interface TextOptions {
  colour: boolean;
}

function indented(text: string): string {
  const { prose, command } = withCommandApart(printableLines(text));
  const lines = wrap(prose, columns - indent.length).split('\n');
  return [...lines, ...(command === null ? [] : [command])].join(`\n${indent}`);
}

function label(status: FindingStatus, { colour }: TextOptions): string {
  const [glyph, tint] = looks[status];
  const text = `${glyph} ${status}`.padEnd(labelColumns);
  return colour ? styleText(tint, text, { validateStream: false }) : text;
}

/** One finding: its status and what was found; for a problem also why it matters and what to do. */
function findingText(finding: Finding, options: TextOptions): string {
  const { status, what, why, todo } = finding;
  const lines = [`${label(status, options)}${indented(what)}`];
  if (status !== 'ok' && status !== 'unknown') lines.push(`${indent}${indented(why)}`);
  if (todo !== null) lines.push(`${indent}${indented(`To do: ${todo}`)}`);
  return lines.join('\n');
}

/** `12 ok, 1 warning, 3 unknown`. */
export function countText(findings: readonly Finding[]): string {
  return findingStatuses
    .map((status) => [status, findings.filter((finding) => finding.status === status).length])
    .filter(([, count]) => count !== 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}

/** A row's bar: the measured delay, and `|` at the requested one. */
function bar({ requestedDelayMs, p50Ms }: DelayProof, msAColumn: number): string {
  const length = Math.round(p50Ms / msAColumn);
  const mark = Math.round(requestedDelayMs / msAColumn);
  const cells = Array.from({ length: Math.max(length, mark) + 1 }, (_, index) => {
    if (index === mark) return '|';
    return index < length ? '█' : ' ';
  });
  return cells.join('');
}

/** The delays of a calibration as a table with a bar per row. */
function calibrationText(proofs: readonly DelayProof[]): string {
  const longestMs = Math.max(
    ...proofs.flatMap(({ requestedDelayMs, p50Ms }) => [requestedDelayMs, p50Ms]),
  );
  const barColumns = 40;
  const msAColumn = longestMs / barColumns;
  const rows = proofs.map((proof) => {
    const { requestedDelayMs, p50Ms, p95Ms } = proof;
    const times = [p50Ms, p95Ms, p50Ms - requestedDelayMs].map(figureText);
    return [`${requestedDelayMs}`, ...times, bar(proof, msAColumn)];
  });
  const table = plainTable(['requested ms', 'measured', 'p95', 'off', ''], [4], rows);
  const legend = `(█ measured, | requested, one column ${figureText(msAColumn)} ms)`;
  return `${table}\n${legend}\nWhere a bar ends at its mark, the measured delay is the requested one.`;
}

/** The doctor's findings, for a terminal of 80 columns. */
export function examinationText(examination: Examination, options: TextOptions): string {
  const { findings, calibration } = examination;
  const blocks = [findings.map((finding) => findingText(finding, options)).join('\n')];
  const [first] = calibration;
  if (first) {
    const title = `Delay of a direct 4 KiB read on ${first.storage}`;
    blocks.push(`${title}\n${calibrationText(calibration)}`);
  }
  blocks.push(countText(findings));
  return `${blocks.join('\n\n')}\n`;
}
