import { firstAndSecond, type ReaderPair, requestsText, waitedMs } from './answered.ts';
import type { FillQuestion } from './question.ts';
import { milliseconds, seconds } from '../quantity.ts';

/** Answer about a second reader that starts at half time. */
export function attach(question: FillQuestion): string[] {
  const pair = firstAndSecond(question);
  if (!pair) return [];
  const { second } = pair;
  return [
    `A second reader that arrived when half of the ${question.fileMs / 1000} s file was there got its first byte after ${milliseconds(second.firstByteMs)} and the last after ${milliseconds(second.durationMs)}; ${requestsText(question)}.${attached(question, pair)}`,
  ];
}

function attached({ origin }: FillQuestion, { first, second }: ReaderPair): string {
  if (isUnknown(origin, first)) return '';
  const [, again] = origin;
  if (again) return ` It asked the origin itself ${seconds(again.atMs)} after the first reader.`;
  return second.firstByteMs > waitedMs
    ? ' It waited.'
    : ' It read the part that was already there, then the rest together with the first reader.';
}

/** Answer about a second reader that starts before the origin has answered. */
export function lockTimeout(question: FillQuestion): string[] {
  const pair = firstAndSecond(question);
  if (!pair) return [];
  const { origin, headDelayMs } = question;
  const { first, second } = pair;
  const thinking = `When the origin takes ${headDelayMs / 1000} s to send the response headers`;
  const firstByte = `first byte after ${milliseconds(second.firstByteMs)}`;
  if (isUnknown(origin, first))
    return [`${thinking}, a second reader got its ${firstByte}; ${requestsText(question)}.`];
  const [, again] = origin;
  if (!again) return [`${thinking}, a second reader waits for them: ${requestsText(question)}.`];
  const hasWaited = heldBackMs(pair, again.atMs) > waitedMs;
  const how = hasWaited
    ? 'gave up waiting for the cache entry and asked the origin itself'
    : 'did not wait for the cache entry: it asked the origin itself';
  return [
    `${thinking}, a second reader ${how} ${seconds(again.atMs)} after the first reader; it got its ${firstByte}.`,
  ];
}

/** Answer about a reader of a range while another reads the whole, or the same range. */
export function ranges(question: FillQuestion): string[] {
  const pair = firstAndSecond(question);
  if (!pair) return [];
  const { second } = pair;
  const what =
    question.name === 'range-in-whole'
      ? 'A range (the middle third), requested when half of the whole response had arrived'
      : 'A range that another reader is reading, with no reader of the whole response';
  return [
    `${what}: first byte after ${milliseconds(second.firstByteMs)}, last byte after ${milliseconds(second.durationMs)}; ${requestsText(question)}.${shared(question, pair)}`,
  ];
}

function shared({ origin }: FillQuestion, pair: ReaderPair): string {
  if (isUnknown(origin, pair.first)) return '';
  const [, again] = origin;
  if (again) {
    const isLate = heldBackMs(pair, again.atMs) > waitedMs;
    return isLate ? ' It was not shared, but it had to wait.' : ' It was not shared.';
  }
  const hasWaited = pair.second.firstByteMs > waitedMs;
  return ` It was served from the same response${hasWaited ? ', after waiting for the other to finish' : ''}.`;
}

/** Unless there was a request and the first reader got everything, it is unknown which response there was to share. */
function isUnknown(origin: FillQuestion['origin'], first: ReaderPair['first']): boolean {
  return origin.length === 0 || first.flag !== undefined;
}

/** From the second reader's start to when its own request reached the origin, ms. */
function heldBackMs({ first, second }: ReaderPair, atMs: number): number {
  return atMs - (second.startMs - first.startMs);
}
