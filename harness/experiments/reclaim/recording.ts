import { readCommonLog } from '@cachescope/model/reclaim/common-log.ts';
import { readHarRequests } from '@cachescope/model/har/requests.ts';
import { type Parsed, parsedJson } from '@cachescope/model/parsed.ts';
import type { RecordedTraffic } from '@cachescope/model/reclaim/recorded-request.ts';
import { foreignLines, readForeignText } from '@cachescope/origin/foreign-file.ts';
import { messageOf } from '../../error.ts';

const wanted = 'it must be a HAR or a log in the common or combined log format';

/** Largest file that is read, bytes: V8 limits a string to 512 MiB, and a HAR is parsed as one. */
const rules = { mostBytes: 400 * 1024 ** 2 };

/**
 * Reads a HAR, which begins with `{`, or a log in the common log format. A file without a request to send is a problem.
 */
export function readRecording(path: string): Parsed<RecordedTraffic> {
  const read = recordedIn(path);
  if ('problems' in read || read.value.requests.length > 0) return read;
  const { otherMethods, malformed, firstMalformed } = read.value;
  const why = firstMalformed === null ? '' : `; ${firstMalformed}`;
  return {
    problems: [
      `${path} holds no GET request (other methods: ${otherMethods}, not usable: ${malformed}${why}); ${wanted}`,
    ],
  };
}

function recordedIn(path: string): Parsed<RecordedTraffic> {
  try {
    const first = foreignLines(path, rules).find((line) => line.trim() !== '');
    if (!first?.trimStart().startsWith('{'))
      return { value: readCommonLog(foreignLines(path, rules)) };
    const json = parsedJson(path, readForeignText(path, rules));
    if ('value' in json) return readHarRequests(path, json.value);
    return { problems: json.problems.map((problem) => `${problem.replace(/\.$/, '')}; ${wanted}`) };
  } catch (error) {
    return { problems: [messageOf(error)] };
  }
}
