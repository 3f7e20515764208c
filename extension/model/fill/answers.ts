import { greatest } from '../extremes.ts';
import { answeredReaders, requestsText, serialised } from './answered.ts';
import type { FillQuestion } from './question.ts';
import { attach, lockTimeout, ranges } from './second-reader.ts';
import { milliseconds } from '../quantity.ts';
import { median } from '../statistics/quantile.ts';

/** The answer to a question, in sentences; when no reader was answered, only the flagged readers. */
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

function together(question: FillQuestion): string[] {
  const { readers, fileMs } = question;
  const firstBytes = answeredReaders(question).map(({ firstByteMs }) => firstByteMs);
  if (firstBytes.length === 0) return [];
  const whose =
    firstBytes.length === readers.length
      ? 'Their first bytes'
      : `First bytes of the ${firstBytes.length} not flagged`;
  return [
    `${readers.length} readers at once of one ${fileMs / 1000} s file: ${requestsText(question)}, and the cache made ${serialised(question)} of them wait for another.`,
    `${whose} arrived after ${milliseconds(median(firstBytes))} (median; the last after ${milliseconds(greatest(firstBytes))})${joined(question)}.`,
  ];
}

/** What the times say about joining; nothing when only one reader was answered, or some waited for the whole body. */
function joined(question: FillQuestion): string {
  if (question.origin.length > 1) return ': one response did not serve them all';
  const hasShared = question.origin.length === 1 && answeredReaders(question).length > 1;
  return hasShared && serialised(question) === 0
    ? ': readers that find an entry being written join its writer'
    : '';
}

function slowDisk(question: FillQuestion, others: readonly FillQuestion[]): string[] {
  if (answeredReaders(question).length === 0) return [];
  const plain = others.find(
    (other) => other.name === 'together' && answeredReaders(other).length > 0,
  );
  const figures = (of: FillQuestion, key: 'firstByteMs' | 'byteWaitMs') =>
    milliseconds(median(answeredReaders(of).flatMap((reader) => reader[key] ?? [])));
  const beside = plain
    ? `; on ordinary storage: ${figures(plain, 'firstByteMs')} and ${figures(plain, 'byteWaitMs')}`
    : '';
  return [
    `With the cache on a disk that takes ${question.storageDelayMs} ms for each read and write: first byte after ${figures(question, 'firstByteMs')}, byte wait ${figures(question, 'byteWaitMs')} (medians)${beside}. ${serialised(question)} readers were made to wait, and ${requestsText(question)}.`,
  ];
}
