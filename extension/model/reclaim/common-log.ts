import * as z from 'zod/mini';
import type { RecordedRequest, RecordedTraffic } from './recorded-request.ts';

/**
 * A line of the Common Log Format (httpd.apache.org/docs/current/logs.html): host, ident, user, [time], "request", status,
 * bytes. Later fields, such as those of the combined format, are ignored. A quote in the request is escaped by a backslash.
 */
const line =
  /^\S+ \S+ .*?\[(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-)(?:\s|$)/;
const requestLine = /^([A-Z]+) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/;
const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
/** Date.parse() takes an impossible date, such as 31 February, for a different one. */
const possibleTime = z.regexes.datetime({ offset: true });

interface LoggedLine {
  method: string;
  url: string;
  /** Seconds since 1970. */
  second: number;
  /** Size of the resource; null when the line does not say. */
  bytes: number | null;
}

/** Not Modified: its byte count is not the size of the resource. */
const notModified = '304';

function parsedLine(text: string): LoggedLine | null {
  const [, day, month = '', year, time, offsetHours, offsetMinutes, ...rest] =
    line.exec(text) ?? [];
  const [request = '', status, bytes = '-'] = rest;
  const [, method, url] = requestLine.exec(request) ?? [];
  const monthNumber = `${months.indexOf(month) / 3 + 1}`.padStart(2, '0');
  const written = `${year}-${monthNumber}-${day}T${time}${offsetHours}:${offsetMinutes}`;
  if (method === undefined || url === undefined || !possibleTime.test(written)) return null;
  const isUnknown = bytes === '-' || status === notModified;
  const second = Date.parse(written) / 1000;
  return { method, url, second, bytes: isUnknown ? null : Number(bytes) };
}

/** Reads the lines of a log. Empty lines are ignored; other lines that do not parse are counted. */
export function readCommonLog(lines: readonly string[] | Generator<string>): RecordedTraffic {
  const found: LoggedLine[] = [];
  /** Each URL once: as a part of its line, it keeps the line in memory. */
  const urls = new Map<string, string>();
  let [malformed, otherMethods] = [0, 0];
  let firstMalformed: string | null = null;
  let number = 0;
  for (const each of lines) {
    number++;
    const trimmed = each.trim();
    if (trimmed === '') continue;
    const parsed = parsedLine(trimmed);
    if (!parsed) {
      malformed++;
      firstMalformed ??= `line ${number} is not a line of the Common Log Format: ${JSON.stringify(trimmed.slice(0, 80))}`;
    } else if (parsed.method === 'GET') {
      const url = urls.get(parsed.url) ?? parsed.url;
      urls.set(url, url);
      found.push({ ...parsed, url });
    } else otherMethods++;
  }
  const requests = inTime(found);
  return { format: 'common log', requests, otherMethods, malformed, firstMalformed };
}

/** The log has a resolution of one second: the requests of a second are spread evenly over it, in order. */
function inTime(lines: readonly LoggedLine[]): RecordedRequest[] {
  const bySecond = Map.groupBy(
    lines.toSorted((one, other) => one.second - other.second),
    ({ second }) => second,
  );
  const [begin = 0] = bySecond.keys();
  return [...bySecond].flatMap(([second, together]) =>
    together.map(({ url, bytes }, index) => ({
      atMs: 1000 * (second - begin + index / together.length),
      url,
      bytes,
    })),
  );
}
