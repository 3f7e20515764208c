import { basename } from 'node:path';
import { readCommonLog } from '@cachescope/model/reclaim/common-log.ts';
import { readHarRequests } from '@cachescope/model/har/requests.ts';
import { type Parsed, parsedJson } from '@cachescope/model/parsed.ts';
import type { RecordedTraffic } from '@cachescope/model/reclaim/recorded-request.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { messageOf } from '../../error.ts';

/** Largest file that is read, bytes: V8 limits a string to 512 MiB. */
const largestFileBytes = 400 * 1024 ** 2;

/** Recorded traffic and the name of its file. */
export interface Recording extends RecordedTraffic {
  file: string;
}

/**
 * Reads a HAR, which begins with `{`, or a log in the common log format. A file without a request to send is a problem.
 */
export function readRecording(path: string): Parsed<Recording> {
  const text = textOf(path);
  if ('problems' in text) return text;
  const read = recordedIn(path, text.value);
  if ('problems' in read) return read;
  const { requests, otherMethods, malformed, firstMalformed } = read.value;
  if (requests.length === 0) {
    const why = firstMalformed === null ? '' : `; ${firstMalformed}`;
    return {
      problems: [
        `${path} holds no GET request (other methods: ${otherMethods}, not readable: ${malformed}${why}); it must be a HAR or a log in the common or combined log format`,
      ],
    };
  }
  return { value: { ...read.value, file: basename(path) } };
}

function recordedIn(path: string, text: string): Parsed<RecordedTraffic> {
  if (!text.trimStart().startsWith('{')) return { value: readCommonLog(text) };
  const json = parsedJson(path, text);
  return 'problems' in json ? json : readHarRequests(path, json.value);
}

function textOf(path: string): Parsed<string> {
  try {
    return { value: readForeignText(path, { mostBytes: largestFileBytes }) };
  } catch (error) {
    return { problems: [messageOf(error)] };
  }
}
