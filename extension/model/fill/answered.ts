import { least } from '../extremes.ts';
import { counted } from '../quantity.ts';
import type { FillQuestion } from './question.ts';

/** A chunk that reaches its reader later than this after it was sent was held back, ms: two chunks of a stream. */
export const waitedMs = 200;

/** A reader of a question. */
type Reader = FillQuestion['readers'][number];

/** A reader with a complete and correct body. */
type AnsweredReader = Reader & { firstByteMs: number };

function isAnswered(reader: Reader | undefined): reader is AnsweredReader {
  return reader !== undefined && reader.flag === undefined && reader.firstByteMs !== null;
}

/** The readers that count for a question; none: nothing was measured. */
export function answeredReaders({ readers }: FillQuestion): AnsweredReader[] {
  return readers.filter(isAnswered);
}

/** The readers of a question that is about the second. */
export interface ReaderPair {
  first: Reader;
  second: AnsweredReader;
}

/** null when the second reader was not answered: nothing was measured. */
export function firstAndSecond({ readers: [first, second] }: FillQuestion): ReaderPair | null {
  return first && isAnswered(second) ? { first, second } : null;
}

/** Answered readers whose first byte came more than two chunks after the earliest one. */
export function serialised(question: FillQuestion): number {
  const firsts = answeredReaders(question).map(({ startMs, firstByteMs }) => startMs + firstByteMs);
  const earliest = least(firsts);
  return firsts.filter((at) => at - earliest > waitedMs).length;
}

/** For example `1 request reached the origin`. */
export function requestsText({ origin }: FillQuestion): string {
  return `${counted(origin.length, 'request')} reached the origin`;
}
