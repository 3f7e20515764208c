/** An event of a trace in Chromium's JSON format; only the fields that are used here. */
export interface TraceEvent {
  /** Categories, separated by commas. */
  cat: string;
  name: string;
  /** Phase: `b`, `n` and `e` begin, mark and end an event on a lane; `R`, `I` and `i` mark a moment. */
  ph: string;
  pid: number;
  /** µs, CLOCK_MONOTONIC. */
  ts: number;
  /** Lane of `b`, `n` and `e`; absent otherwise. */
  id2?: { local?: string; global?: string };
  args?: Record<string, unknown>;
}

/** True for a value with the fields that every event has. */
export function isTraceEvent(value: unknown): value is TraceEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { cat, name, ph, ts } = value as Partial<TraceEvent>;
  return (
    typeof cat === 'string' &&
    typeof name === 'string' &&
    typeof ph === 'string' &&
    typeof ts === 'number'
  );
}

/** How far a trace could be read. */
export interface ScannedTrace {
  bytes: number;
  /** All events, including unwanted ones. */
  events: number;
  /** Wanted events that are not valid JSON, or not events. */
  brokenEvents: number;
  /** The text ends before the list of events does, for example after a crash. */
  isCutOff: boolean;
}

const newline = 0x0a;
const comma = 0x2c;
const openBrace = 0x7b;

/** A longer line is corrupt; it is skipped, so that memory use stays bounded. */
const longestLineBytes = 16 * 1024 * 1024;

/**
 * Parses a trace as Chromium writes it, JSON with one event per line, chunk by chunk and in memory that does not grow
 * with the trace. Only events that contain a wanted word are parsed; the others are counted.
 */
export class TraceScanner {
  readonly #words: readonly Buffer[];
  readonly #tell: (event: TraceEvent) => void;
  readonly #pattern: RegExp | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #hasEnded = false;
  readonly #read = { bytes: 0, events: 0, brokenEvents: 0 };

  /**
   * @param words an event is reported when its text contains one of them, such as `"cat":"netlog"`; each is searched
   * for in the whole trace, so there should be few.
   * @param pattern the text must also match this, which is faster than parsing it. Absent: any text.
   */
  constructor(words: readonly string[], tell: (event: TraceEvent) => void, pattern?: RegExp) {
    this.#pattern = pattern;
    this.#words = words.map((word) => Buffer.from(word));
    this.#tell = tell;
  }

  /** Processes the next chunk of the text, cut anywhere. */
  push(piece: Uint8Array): void {
    this.#read.bytes += piece.byteLength;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const begin = this.#lines(text, this.#rest.length);
    this.#rest = text.length - begin > longestLineBytes ? Buffer.alloc(0) : text.subarray(begin);
  }

  /** The result, after the last chunk was pushed. */
  end(): ScannedTrace {
    this.#lastLine(this.#rest.toString('utf8'));
    this.#rest = Buffer.alloc(0);
    return { ...this.#read, isCutOff: !this.#hasEnded };
  }

  /** Processes the complete lines. Returns the offset of the incomplete rest, which the next chunk continues. */
  #lines(text: Buffer, searchedTo: number): number {
    const next = this.#words.map(() => -1);
    let begin = 0;
    let end = text.indexOf(newline, searchedTo);
    while (end !== -1 && !this.#hasEnded) {
      if (text[end - 1] === comma && text[begin] === openBrace) {
        this.#read.events++;
        if (this.#isWanted(text, begin, end, next) && this.#matches(text, begin, end))
          this.#event(text.toString('utf8', begin, end - 1));
      } else this.#lastLine(text.toString('utf8', begin, end));
      begin = end + 1;
      end = text.indexOf(newline, begin);
    }
    return this.#hasEnded ? text.length : begin;
  }

  /** @param next offset of each word's next occurrence: a search continues there, so that no byte is searched twice. */
  #isWanted(text: Buffer, begin: number, end: number, next: number[]): boolean {
    let isWanted = false;
    for (let index = 0; index < next.length; index++) {
      let found = next[index] as number;
      if (found < begin) {
        found = text.indexOf(this.#words[index] as Buffer, begin);
        next[index] = found = found === -1 ? text.length : found;
      }
      if (found < end) isWanted = true;
    }
    return isWanted;
  }

  #matches(text: Buffer, begin: number, end: number): boolean {
    return this.#pattern?.test(text.toString('latin1', begin, end)) ?? true;
  }

  /** A line without a comma at its end: the first, the last, or one cut off by a crash. */
  #lastLine(line: string): void {
    if (this.#hasEnded) return;
    const end = /^(?:(?<event>\{.*\})\s*)?\]\s*(?:$|[,}])/.exec(line);
    if (end) this.#hasEnded = true;
    const event = end ? end.groups?.['event'] : /^\{.*\}$/.exec(line)?.[0];
    if (event === undefined || event.startsWith('{"traceEvents"')) return;
    this.#read.events++;
    const isWanted = this.#words.some((word) => event.includes(word.toString()));
    if (isWanted && this.#pattern?.test(event) !== false) this.#event(event);
  }

  #event(json: string): void {
    const event = parsed(json);
    if (event) this.#tell(event);
    else this.#read.brokenEvents++;
  }
}

function parsed(json: string): TraceEvent | null {
  try {
    const value: unknown = JSON.parse(json);
    return isTraceEvent(value) ? value : null;
  } catch {
    return null;
  }
}
