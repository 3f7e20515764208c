import type { FillQuestion } from './fill-question.ts';
import { digits, milliseconds } from './quantity.ts';
import { median } from './statistics/quantile.ts';

/** Later than this after a chunk was sent its reader was kept waiting, ms: two chunks of a stream. */
const waitedMs = 200;

/** What a question showed, in sentences. */
export function answersTo(question: FillQuestion, others: readonly FillQuestion[]): string[] {
  const bad = question.readers.filter(({ flag }) => flag !== undefined);
  const failures = bad.map(({ worker, flag }) => `reader ${worker + 1}: ${flag}`);
  const flagged = bad.length === 0 ? [] : [`Flagged readers: ${failures.join(', ')}.`];
  return [...answer(question, others), ...flagged];
}

function answer(question: FillQuestion, others: readonly FillQuestion[]): string[] {
  switch (question.name) {
    case 'together':
      return together(question);
    case 'attach':
      return attach(question);
    case 'lock-timeout':
      return lockTimeout(question);
    case 'range-in-whole':
    case 'range-twice':
      return ranges(question);
    default:
      return slowDisk(question, others);
  }
}

function requestsText({ origin }: FillQuestion): string {
  return origin.length === 1
    ? '1 request reached the origin'
    : `${origin.length} requests reached the origin`;
}

/** Readers whose first byte came later than when the first reader's did, by more than two chunks. */
function serialised({ readers }: FillQuestion): number {
  const firsts = readers.map(({ startMs, firstByteMs }) => startMs + (firstByteMs ?? Infinity));
  const earliest = Math.min(...firsts);
  return firsts.filter((at) => at - earliest > waitedMs).length;
}

function together(question: FillQuestion): string[] {
  const { readers, fileMs } = question;
  const firstBytes = readers.flatMap(({ firstByteMs }) =>
    firstByteMs === null ? [] : [firstByteMs],
  );
  const latest = Math.max(...firstBytes);
  return [
    `${readers.length} readers at once of one ${fileMs / 1000} s file: ${requestsText(question)}, and the cache made ${serialised(question)} of them wait for another.`,
    `Their first bytes came after ${milliseconds(median(firstBytes))} (median; the last after ${milliseconds(latest)}): readers that find an entry being written join its writer.`,
  ];
}

function attach(question: FillQuestion): string[] {
  const { readers, fileMs } = question;
  const [, second] = readers;
  if (!second) return [];
  const joined = (second.firstByteMs ?? Infinity) < waitedMs;
  const where = joined
    ? 'It read what was already there and then along with the first'
    : 'It waited';
  return [
    `A second reader that came when half of the ${fileMs / 1000} s file had arrived had its first byte after ${milliseconds(second.firstByteMs)} and all after ${milliseconds(second.durationMs)}; ${requestsText(question)}. ${where}.`,
  ];
}

function lockTimeout(question: FillQuestion): string[] {
  const { origin, readers, headDelayMs } = question;
  const [, second] = readers;
  const again = origin[1];
  const thinking = `Where the origin takes ${headDelayMs / 1000} s to answer at all`;
  if (!again)
    return [`${thinking}, a second reader waits as long as it takes: ${requestsText(question)}.`];
  return [
    `${thinking}, a second reader gave up waiting for the cache entry and asked the origin itself ${digits(again.atMs / 1000)} s after the first had; it had its first byte after ${milliseconds(second?.firstByteMs ?? null)}.`,
  ];
}

function ranges(question: FillQuestion): string[] {
  const { readers, name } = question;
  const [, second] = readers;
  const what =
    name === 'range-in-whole'
      ? 'A range (the middle third) asked for when half of the whole had arrived'
      : 'A range that another reader is already reading, and nobody the whole';
  const hasWaited = (second?.firstByteMs ?? Infinity) > waitedMs;
  const shared =
    question.origin.length === 1 ? 'It was served from the same fill' : 'It was not shared';
  return [
    `${what}: first byte after ${milliseconds(second?.firstByteMs ?? null)}, all after ${milliseconds(second?.durationMs ?? null)}; ${requestsText(question)}. ${shared}${hasWaited ? ', after waiting for the other to finish' : ''}.`,
  ];
}

function slowDisk(question: FillQuestion, others: readonly FillQuestion[]): string[] {
  const plain = others.find(({ name }) => name === 'together');
  const figures = (of: FillQuestion, key: 'firstByteMs' | 'byteWaitMs') =>
    milliseconds(median(of.readers.flatMap((reader) => reader[key] ?? [])));
  const beside = plain
    ? `; on ordinary storage ${figures(plain, 'firstByteMs')} and ${figures(plain, 'byteWaitMs')}`
    : '';
  return [
    `With the cache on a disk that takes ${question.storageDelayMs} ms for each read and write: first byte after ${figures(question, 'firstByteMs')}, byte wait ${figures(question, 'byteWaitMs')} (medians)${beside}. ${serialised(question)} readers were made to wait, and ${requestsText(question)}.`,
  ];
}
