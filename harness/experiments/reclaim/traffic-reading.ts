import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { ReclaimLimits, ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import {
  oneSizeEach,
  type RecordedTraffic,
  type ReplayedRequest,
  replayed,
} from '@cachescope/model/reclaim/recorded-request.ts';
import { populationFor } from '@cachescope/model/reclaim/zipf.ts';
import { largestItemBytes } from '@cachescope/origin/routes/reclaim.ts';
import { readRecording } from './recording.ts';
import { type Problems, readInteger, readNumber } from '../../options/option-reading.ts';
import { quantity } from '../../options/quantity-option.ts';

const highestRateHz = 100_000;
const longestTime = '24h';
/** Default duration: that of the BBC Belfrage report. */
const usualTime = '20m';
/** Names of generated traffic; any other name is a file. */
const generated = new Set(['cache-bust', 'zipf']);

const readTime = quantity({ kind: 'time', from: '100ms', to: longestTime });
const readHitRate = quantity({ kind: 'share', from: '0.1%', to: '99.9%' });
const readShare = quantity({ kind: 'share', from: '0.1%', to: '100%' });
const readSize = quantity({ kind: 'size', from: '0B', to: `${largestItemBytes / 2 ** 20}MiB` });

/** The unparsed traffic options of the command line; undefined: not given. */
interface TrafficTexts extends Record<
  'rate' | 'traffic' | 'skew' | 'hitRate' | 'speed' | 'share' | 'payload',
  string
> {
  time: string | undefined;
  population: string | undefined;
}

/** The requests of a load and their due times. */
interface Traffic extends Pick<ReclaimPlan, 'traffic' | 'rateHz' | 'timeMs' | 'payloadBytes'> {
  replay: readonly ReplayedRequest[];
}

/** Reads which requests are sent, and when. */
export function readTraffic(
  raw: TrafficTexts,
  limits: ReclaimLimits,
  seed: number,
  problems: Problems,
): Traffic {
  const payloadBytes = readPayload(raw, problems);
  const rate = [0.1, highestRateHz] as const;
  const rateHz = readNumber('--rate', raw.rate, rate, 'requests a second', problems);
  const isReplay = !generated.has(raw.traffic);
  const timeMs = readTime(raw.time ?? (isReplay ? longestTime : usualTime), '--time', problems);
  const load = { rateHz, timeMs, payloadBytes, replay: [] };
  if (raw.traffic === 'cache-bust') return { ...load, traffic: { kind: 'cache-bust' } };
  if (raw.traffic === 'zipf') return { ...load, traffic: readZipf(raw, limits, load, problems) };
  return { payloadBytes, ...readReplay(raw, seed, timeMs, problems) };
}

function readZipf(
  raw: TrafficTexts,
  { limitEntries, limitBytes, reclaimRatio }: ReclaimLimits,
  { rateHz, timeMs, payloadBytes }: Pick<Traffic, 'rateHz' | 'timeMs' | 'payloadBytes'>,
  problems: Problems,
): Traffic['traffic'] {
  const skew = readNumber('--skew', raw.skew, [0.01, 10], 'skew', problems);
  if (raw.population !== undefined) {
    const population = readInteger('--population', raw.population, 1, 1e9, problems);
    return { kind: 'zipf', skew, population, wantedHitRate: null };
  }
  const wantedHitRate = readHitRate(raw.hitRate, '--hit-rate', problems);
  const most = Math.min(limitEntries ?? Infinity, limitBytes / Math.max(1, payloadBytes ?? 1));
  // Between two eviction passes the cache refills from the rest to the limit; the mean is its capacity.
  const capacity = most * (1 - (reclaimRatio ?? 0) / 2);
  const requests = Math.max(1, (rateHz * timeMs) / 1000);
  const isReadable = [skew, wantedHitRate, capacity, requests].every(Number.isFinite);
  const population = isReadable ? populationFor(wantedHitRate, { skew, capacity, requests }) : 1;
  if (population === null)
    problems.push(
      `--hit-rate ${raw.hitRate} cannot be reached with --skew ${raw.skew} in ${requests} requests; use another skew, more time, or --population N`,
    );
  return { kind: 'zipf', skew, population: population ?? 1, wantedHitRate };
}

const noTraffic: RecordedTraffic = {
  format: 'har',
  requests: [],
  otherMethods: 0,
  malformed: 0,
  firstMalformed: null,
};

function readReplay(
  raw: TrafficTexts,
  seed: number,
  longestMs: number,
  problems: Problems,
): Omit<Traffic, 'payloadBytes'> {
  const speed = readNumber('--speed', raw.speed, [0.001, 100_000], 'times', problems);
  const share = readShare(raw.share, '--share', problems);
  const recorded = recordedIn(raw, problems);
  const isReadable = [speed, share, longestMs].every(Number.isFinite);
  const { format, requests, otherMethods, malformed } = recorded ?? noTraffic;
  const replay = isReadable ? replayed(requests, { speed, share, seed, timeMs: longestMs }) : [];
  if (isReadable && recorded && replay.length === 0)
    problems.push(`--share ${raw.share} of ${raw.traffic} leaves no request`);
  // The duration includes the last request.
  const timeMs = Math.min(longestMs, Math.max(1, Math.ceil((replay.at(-1)?.dueMs ?? 0) + 1)));
  const file = recorded ? basename(raw.traffic) : raw.traffic;
  const counts = { recorded: requests.length, planned: replay.length, otherMethods, malformed };
  const traffic = { kind: 'replay', file, format, speed, share, ...counts } as const;
  return { traffic, replay, rateHz: (replay.length / timeMs) * 1000, timeMs };
}

/**
 * The traffic of the log; null, and a problem, when none of it can be used. With `--payload recorded`: one size per
 * URL, and only requests with a size that an item of the origin can have.
 */
function recordedIn(
  { traffic: path, payload }: TrafficTexts,
  problems: Problems,
): RecordedTraffic | null {
  if (!existsSync(path)) {
    problems.push(
      `--traffic is ${JSON.stringify(path)}; it must be cache-bust, zipf, or a file that exists: a HAR or a log in the common log format`,
    );
    return null;
  }
  const read = readRecording(path);
  if ('problems' in read) {
    problems.push(...read.problems.map((problem) => `--traffic: ${problem}`));
    return null;
  }
  const { value } = read;
  if (payload !== 'recorded') return value;
  const { requests, unusable, firstUnusable } = oneSizeEach(value.requests, largestItemBytes);
  if (requests.length > 0) return { ...value, requests, malformed: value.malformed + unusable };
  problems.push(
    `--payload recorded: ${basename(path)} holds no request with a size that can be served; ${firstUnusable}`,
  );
  return null;
}

function readPayload(raw: TrafficTexts, problems: Problems): number | null {
  if (raw.payload !== 'recorded') return readSize(raw.payload, '--payload', problems);
  if (generated.has(raw.traffic))
    problems.push('--payload recorded is for a replay; name a size, such as 100KiB');
  return null;
}
