import { printable, printableLines } from '@cachescope/model/printable.ts';
import { styleText } from 'node:util';

export interface ProgressOutput {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** `95` -> `1:35`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * What a long run shows on stderr: steps as lines, and on a terminal one line that is redrawn with the sample and the
 * time left. It draws between samples only, never while a clock runs.
 */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #now: () => number;
  #total: number;
  #done = 0;
  #startedAt: number | null = null;
  #doneAtStart = 0;

  constructor(
    total: number,
    output: ProgressOutput = process.stderr,
    now: () => number = Date.now,
  ) {
    this.#total = total;
    this.#output = output;
    this.#now = now;
  }

  /** So many units of work are still to come; what was planned beyond that stays planned. */
  expect(units: number): void {
    this.#total = Math.max(this.#total, this.#done + units);
  }

  /** A line that stays. */
  step(line: string): void {
    this.#write(printableLines(line));
  }

  /** A line that stays and must be seen. */
  warn(line: string): void {
    const stream = this.#output === process.stderr ? { stream: process.stderr } : {};
    const text = `Warning: ${printableLines(line)}`;
    this.#write(styleText('yellow', text, { validateStream: true, ...stream }));
  }

  /** Counts one unit of work done; `label` says which. */
  advance(label: string): void {
    this.#done++;
    if (this.#startedAt === null) {
      // The first sample took time that nobody measured; the pace is that of those behind it.
      this.#startedAt = this.#now();
      this.#doneAtStart = this.#done;
    }
    if (!this.#output.isTTY) return;
    const text = printable(`${this.#done}/${this.#total}  ${label}  ${this.timeLeft()}`);
    this.#clear();
    this.#output.write(text.slice(0, (this.#output.columns ?? 80) - 1));
  }

  /** `about 1:35 left`, or nothing before there is anything to go by. */
  timeLeft(): string {
    if (this.#startedAt === null) return '';
    const doneSince = this.#done - this.#doneAtStart;
    const elapsedMs = this.#now() - this.#startedAt;
    if (doneSince < 2 || elapsedMs <= 0) return '';
    const leftMs = (elapsedMs / doneSince) * (this.#total - this.#done);
    return `about ${clock(leftMs / 1000)} left`;
  }

  /** Removes the redrawn line. */
  end(): void {
    this.#clear();
  }

  #write(line: string): void {
    this.#clear();
    this.#output.write(`${line}\n`);
  }

  #clear(): void {
    if (this.#output.isTTY) this.#output.write('\r\u001b[2K');
  }
}
