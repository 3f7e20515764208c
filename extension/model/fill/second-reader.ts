import { firstAndSecond, type ReaderPair, requestsText, waitedMs } from './answered.ts';
import type { FillQuestion } from './question.ts';
import { digits, milliseconds } from '../quantity.ts';

/** What a second reader showed that came at half time. */
export function attach(question: FillQuestion): string[] {
  const pair = firstAndSecond(question);
  if (!pair) return [];
  const { second } = pair;
  return [
    `A second reader that came when half of the ${question.fileMs / 1000} s file had arrived had its first byte after ${milliseconds(second.firstByteMs)} and all after ${milliseconds(second.durationMs)}; ${requestsText(question)}.${attached(question, pair)}`,
  ];
}

function attached({ origin }: FillQuestion, { first, second }: ReaderPair): string {
  if (isUntold(origin, first)) return '';
  const [, again] = origin;
  if (again)
    return ` It asked the origin itself ${digits(again.atMs / 1000)} s after the first had.`;
  return second.firstByteMs > waitedMs
    ? ' It waited.'
    : ' It read what was already there and then along with the first.';
}

/** What a second reader showed that came before the origin had answered at all. */
export function lockTimeout(question: FillQuestion): string[] {
  const pair = firstAndSecond(question);
  if (!pair) return [];
  const { origin, headDelayMs } = question;
  const { first, second } = pair;
  const thinking = `Where the origin takes ${headDelayMs / 1000} s to answer at all`;
  const firstByte = `first byte after ${milliseconds(second.firstByteMs)}`;
  if (isUntold(origin, first))
    return [`${thinking}, a second reader had its ${firstByte}; ${requestsText(question)}.`];
  const [, again] = origin;
  if (!again)
    return [`${thinking}, a second reader waits as long as it takes: ${requestsText(question)}.`];
  const hasWaited = heldBackMs(pair, again.atMs) > waitedMs;
  const how = hasWaited
    ? 'gave up waiting for the cache entry and asked the origin itself'
    : 'did not wait for the cache entry: it asked the origin itself';
  return [
    `${thinking}, a second reader ${how} ${digits(again.atMs / 1000)} s after the first had; it had its ${firstByte}.`,
  ];
}

/** What a reader of a range showed that came while another read the whole, or the same range. */
export function ranges(question: FillQuestion): string[] {
  const pair = firstAndSecond(question);
  if (!pair) return [];
  const { second } = pair;
  const what =
    question.name === 'range-in-whole'
      ? 'A range (the middle third) asked for when half of the whole had arrived'
      : 'A range that another reader is already reading, and nobody the whole';
  return [
    `${what}: first byte after ${milliseconds(second.firstByteMs)}, all after ${milliseconds(second.durationMs)}; ${requestsText(question)}.${shared(question, pair)}`,
  ];
}

function shared({ origin }: FillQuestion, pair: ReaderPair): string {
  if (isUntold(origin, pair.first)) return '';
  const [, again] = origin;
  if (again) {
    const isLate = heldBackMs(pair, again.atMs) > waitedMs;
    return isLate ? ' It was not shared, and yet it had to wait.' : ' It was not shared.';
  }
  const hasWaited = pair.second.firstByteMs > waitedMs;
  return ` It was served from the same fill${hasWaited ? ', after waiting for the other to finish' : ''}.`;
}

/** Without a request, or a first reader that got all, it is not known whose fill there was to share. */
function isUntold(origin: FillQuestion['origin'], first: ReaderPair['first']): boolean {
  return origin.length === 0 || first.flag !== undefined;
}

/** From the second reader's start to when its own request reached the origin, ms. */
function heldBackMs({ first, second }: ReaderPair, atMs: number): number {
  return atMs - (second.startMs - first.startMs);
}
