import { greatest, least } from '../extremes.ts';
import { counted, milliseconds, seconds } from '../quantity.ts';
import { median } from '../statistics/quantile.ts';
import type { FillQuestion } from './question.ts';

/** A chunk that reaches its reader later than this after it was sent was held back, ms: two chunks of a stream. */
const waitedMs = 200;

type Reader = FillQuestion['readers'][number];
/** A reader with a complete and correct body. */
type AnsweredReader = Reader & { firstByteMs: number };

function isAnswered(reader: Reader | undefined): reader is AnsweredReader {
  return reader !== undefined && reader.flag === undefined && reader.firstByteMs !== null;
}

/** The answer to a question, in sentences; when no reader was answered, only the flagged readers. */
export function answersTo(question: FillQuestion, others: readonly FillQuestion[]): string[] {
  const bad = question.readers.filter(({ flag }) => flag !== undefined);
  const failures = bad.map(({ worker, flag }) => `reader ${worker + 1}: ${flag}`);
  const flagged = bad.length === 0 ? [] : [`Flagged readers: ${failures.join(', ')}.`];
  const answered = question.readers.filter(isAnswered);
  if (answered.length === 0) return flagged;
  return [...answerTo(question, answered, others), ...flagged];
}

function answerTo(
  question: FillQuestion,
  answered: readonly AnsweredReader[],
  others: readonly FillQuestion[],
): string[] {
  if (question.name === 'together') return together(question, answered);
  if (question.name === 'slow-disk') return [slowDisk(question, answered, others)];
  const [first, second] = question.readers;
  // Without an answer to the second reader nothing was measured.
  return first && isAnswered(second) ? [secondReader(question, first, second)] : [];
}

/** For example `1 request reached the origin`. */
function requestsText({ origin }: FillQuestion): string {
  return `${counted(origin.length, 'request')} reached the origin`;
}

/** Number of readers whose first byte came more than two chunks after the earliest one. */
function late(answered: readonly AnsweredReader[]): number {
  const firsts = answered.map(({ startMs, firstByteMs }) => startMs + firstByteMs);
  const earliest = least(firsts);
  return firsts.filter((at) => at - earliest > waitedMs).length;
}

function together(question: FillQuestion, answered: readonly AnsweredReader[]): string[] {
  const { readers, fileMs, origin } = question;
  const firstBytes = answered.map(({ firstByteMs }) => firstByteMs);
  const later = late(answered);
  const whose =
    answered.length === readers.length
      ? 'Their first bytes'
      : `First bytes of the ${answered.length} not flagged`;
  // The times say nothing about joining when only one reader was answered, or some waited for the whole body.
  const hasJoined = origin.length === 1 && answered.length > 1 && later === 0;
  const joined = hasJoined ? ': readers that find an entry being written join its writer' : '';
  const shared = origin.length > 1 ? ': one response did not serve them all' : joined;
  return [
    `${readers.length} readers at once of one ${fileMs / 1000} s file: ${requestsText(question)}, and ${later} of them got the first byte more than ${waitedMs} ms after the first reader.`,
    `${whose} arrived after ${milliseconds(median(firstBytes))} (median; the last after ${milliseconds(greatest(firstBytes))})${shared}.`,
  ];
}

function slowDisk(
  question: FillQuestion,
  answered: readonly AnsweredReader[],
  others: readonly FillQuestion[],
): string {
  const medianOf = (readers: readonly AnsweredReader[], key: 'firstByteMs' | 'byteWaitMs') =>
    milliseconds(median(readers.flatMap((reader) => reader[key] ?? [])));
  const plain = others
    .filter(({ name, machine }) => name === 'together' && machine === question.machine)
    .map(({ readers }) => readers.filter(isAnswered))
    .find(({ length }) => length > 0);
  const beside = plain
    ? `; on ordinary storage: ${medianOf(plain, 'firstByteMs')} and ${medianOf(plain, 'byteWaitMs')}`
    : '';
  return `With the cache on a disk that takes ${question.storageDelayMs} ms for each read and write: first byte after ${medianOf(answered, 'firstByteMs')}, byte wait ${medianOf(answered, 'byteWaitMs')} (medians)${beside}. ${late(answered)} readers got the first byte more than ${waitedMs} ms after the first, and ${requestsText(question)}.`;
}

/** The questions about a second reader, which starts at half time, or before the origin has answered the first. */
function secondReader(question: FillQuestion, first: Reader, second: AnsweredReader): string {
  const { name, origin, fileMs, headDelayMs } = question;
  const [, again] = origin;
  // Unless there was a request and the first reader got everything, it is unknown which response there was to share.
  const isKnown = origin.length > 0 && first.flag === undefined;
  // Until its own request reached the origin, or until its first byte.
  const waitMs = again ? again.atMs - (second.startMs - first.startMs) : second.firstByteMs;
  const hasWaited = waitMs > waitedMs;
  const reached = requestsText(question);
  const firstByte = `first byte after ${milliseconds(second.firstByteMs)}`;
  const lastMs = milliseconds(second.durationMs);
  const itself = `asked the origin itself ${seconds(again?.atMs ?? null)} after the first reader`;
  if (name === 'lock-timeout') {
    const thinking = `When the origin takes ${headDelayMs / 1000} s to send the response headers, a second reader`;
    if (!isKnown) return `${thinking} got its ${firstByte}; ${reached}.`;
    if (!again) return `${thinking} waits for them: ${reached}.`;
    const how = hasWaited
      ? 'gave up waiting for the cache entry and'
      : 'did not wait for the cache entry: it';
    return `${thinking} ${how} ${itself}; it got its ${firstByte}.`;
  }
  if (name === 'attach') {
    const waited = hasWaited
      ? ' It waited.'
      : ' It read the part that was already there, then the rest together with the first reader.';
    const attached = again ? ` It ${itself}.` : waited;
    return `A second reader that arrived when half of the ${fileMs / 1000} s file was there got its ${firstByte} and the last after ${lastMs}; ${reached}.${isKnown ? attached : ''}`;
  }
  const what =
    name === 'range-in-whole'
      ? 'A range (the middle third), requested when half of the whole response had arrived'
      : 'A range that another reader is reading, with no reader of the whole response';
  const shared = again
    ? ` It was not shared${hasWaited ? ', but it had to wait' : ''}.`
    : ` It was served from the same response${hasWaited ? ', after waiting for the other to finish' : ''}.`;
  return `${what}: ${firstByte}, last byte after ${lastMs}; ${reached}.${isKnown ? shared : ''}`;
}
