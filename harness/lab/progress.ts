import { printable, printableLines } from '@cachescope/model/printable.ts';
import { styleText } from 'node:util';
import { wrap } from '../results/wrap.ts';

export interface ProgressOutput {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  rows?: number | undefined;
}

/** `95` -> `1:35`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Minimum time between two redraws, ms: drawing must not slow the measurement. */
const redrawMs = 250;
const barWidth = 20;

/** A result so far, marked as preliminary. */
export interface ResultSoFar {
  /** Lines of a table, for a terminal. */
  table: () => readonly string[];
  /** For other outputs, written once; null while too little is known. */
  sentence: () => string | null;
}

/**
 * Progress of a long run on stderr. On a terminal: a bar with the time left below the result so far, redrawn in place.
 * Elsewhere: one line for each step. It draws between samples only, never during a timed read.
 */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #now: () => number;
  #total: number;
  #done = 0;
  #startedAt: number | null = null;
  #doneAtStart = 0;
  #status = '';
  #table: readonly string[] = [];
  #isResultSaid = false;
  #drawnLines = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;
  readonly #warnings = new Set<string>();

  constructor(
    total: number,
    output: ProgressOutput = process.stderr,
    now: () => number = Date.now,
  ) {
    this.#total = total;
    this.#output = output;
    this.#now = now;
  }

  /** Announces this many further units of work; a larger planned total is kept. */
  expect(units: number): void {
    this.#total = Math.max(this.#total, this.#done + units);
  }

  /** Begins a phase of this many units whose pace is another one: the time left is estimated anew. */
  phase(units: number): void {
    this.#total = this.#done + units;
    this.#startedAt = null;
  }

  /** Writes a permanent line. */
  step(line: string): void {
    this.#write(this.#wrapped(line));
  }

  /** Shows the current step: beside the bar on a terminal, elsewhere as a line. */
  status(line: string): void {
    if (!this.#redraws()) return this.step([line, this.timeLeft()].filter(Boolean).join(', '));
    this.#status = line;
    this.#draw();
  }

  /** Writes a permanent line as a warning; the same one is written once. */
  warn(line: string): void {
    if (this.#warnings.has(line)) return;
    this.#warnings.add(line);
    const stream = this.#output === process.stderr ? { stream: process.stderr } : {};
    const text = this.#wrapped(`Warning: ${line}`);
    this.#write(styleText('yellow', text, { validateStream: true, ...stream }));
  }

  /** Counts one finished unit of work; `label` describes it. */
  advance(label: string): void {
    this.#done++;
    if (this.#startedAt === null) {
      // The duration of the first sample is unknown; the pace is that of the later ones.
      this.#startedAt = this.#now();
      this.#doneAtStart = this.#done;
    }
    if (!this.#redraws() || !this.#isDue()) return;
    this.#status = label;
    this.#draw();
  }

  /** Sets the result so far; it is shown with the next unit of work. */
  result({ table, sentence }: ResultSoFar): void {
    if (this.#redraws()) {
      if (this.#isDue()) this.#table = table();
    } else if (!this.#isResultSaid) {
      const said = sentence();
      this.#isResultSaid = said !== null;
      if (said !== null) this.step(said);
    }
  }

  /** `about 1:35 left`, or '' while there is no estimate. */
  timeLeft(): string {
    if (this.#startedAt === null) return '';
    const doneSince = this.#done - this.#doneAtStart;
    const elapsedMs = this.#now() - this.#startedAt;
    if (doneSince < 2 || elapsedMs <= 0) return '';
    const leftMs = (elapsedMs / doneSince) * (this.#total - this.#done);
    return `about ${clock(leftMs / 1000)} left`;
  }

  /** Removes the redrawn part. */
  end(): void {
    this.#table = [];
    this.#clear();
  }

  #redraws(): boolean {
    return this.#output.isTTY === true && process.env['TERM'] !== 'dumb';
  }

  #isDue(): boolean {
    return this.#now() - this.#drawnAt >= redrawMs;
  }

  #write(line: string): void {
    this.#clear();
    this.#output.write(`${line}\n`);
  }

  #draw(): void {
    const { columns = 80, rows = 24 } = this.#output;
    // A line that wraps, or a table higher than the terminal, could not be redrawn in place.
    const table = this.#table
      .slice(0, Math.max(0, rows - 2))
      .map((line) => printable(line).slice(0, columns - 1));
    const lines = [...table, this.#bar(columns - 1)];
    this.#clear();
    this.#output.write(lines.join('\n'));
    this.#drawnLines = lines.length;
    this.#drawnAt = this.#now();
  }

  /** Bar, time left and status in this many columns: of a status that is too long, the first words. */
  #bar(columns: number): string {
    if (this.#total === 0) return firstWords(printable(this.#status), columns);
    const full = Math.floor((barWidth * this.#done) / Math.max(this.#total, this.#done));
    const bar = '#'.repeat(full).padEnd(barWidth, '.');
    const counted = `[${bar}] ${this.#done}/${this.#total}`;
    const parts = [counted, this.timeLeft(), printable(this.#status)];
    return firstWords(parts.filter((part) => part !== '').join('  '), columns);
  }

  /** Lines for people wrap at the width of their terminal; those of a file stay whole. */
  #wrapped(line: string): string {
    const text = printableLines(line);
    const { isTTY, columns = 80 } = this.#output;
    if (isTTY !== true) return text;
    return text
      .split('\n')
      .map((each) => wrap(each, columns))
      .join('\n');
  }

  #clear(): void {
    if (!this.#redraws() || this.#drawnLines === 0) return;
    const up = this.#drawnLines > 1 ? `\u001b[${this.#drawnLines - 1}A` : '';
    this.#output.write(`\r${up}\u001b[J`);
    this.#drawnLines = 0;
  }
}

/** As many whole words as fit; of a first word that does not fit, its beginning. */
function firstWords(text: string, columns: number): string {
  if (text.length <= columns) return text;
  const cut = text.slice(0, columns + 1).replace(/\s+\S*$/, '');
  return cut.slice(0, columns);
}
