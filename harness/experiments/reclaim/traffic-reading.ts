import { existsSync } from 'node:fs';
import type { ReclaimPlan, ReclaimTraffic } from '@cachescope/model/reclaim/plan.ts';
import { oneSizeEach } from '@cachescope/model/reclaim/sizes.ts';
import { type ReplayedRequest, replayed } from '@cachescope/model/reclaim/replay.ts';
import { populationFor } from '@cachescope/model/reclaim/zipf.ts';
import { largestItemBytes } from '@cachescope/origin/routes/reclaim.ts';
import { type Recording, readRecording } from './recording.ts';
import { type Problems, readInteger, readNumber } from '../../options/option-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import type { ReclaimLimits } from './limit-reading.ts';

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
interface TrafficTexts {
  rate: string;
  time: string | undefined;
  traffic: string;
  skew: string;
  hitRate: string;
  population: string | undefined;
  speed: string;
  share: string;
  payload: string;
}

/** The requests of a load and their due times. */
export interface Traffic extends Pick<ReclaimPlan, 'rateHz' | 'timeMs' | 'payloadBytes'> {
  traffic: ReclaimTraffic;
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
  const load = { rateHz, timeMs, payloadBytes };
  if (raw.traffic === 'cache-bust') return { ...load, traffic: { kind: 'cache-bust' }, replay: [] };
  if (raw.traffic === 'zipf')
    return { ...load, traffic: readZipf(raw, limits, load, problems), replay: [] };
  return { payloadBytes, ...readReplay(raw, seed, timeMs, problems) };
}

function readZipf(
  raw: TrafficTexts,
  { limitEntries, limitBytes, reclaimRatio }: ReclaimLimits,
  load: { rateHz: number; timeMs: number; payloadBytes: number | null },
  problems: Problems,
): ReclaimTraffic {
  const skew = readNumber('--skew', raw.skew, [0.01, 10], 'skew', problems);
  if (raw.population !== undefined) {
    const population = readInteger('--population', raw.population, 1, 1e9, problems);
    return { kind: 'zipf', skew, population, wantedHitRate: null };
  }
  const wantedHitRate = readHitRate(raw.hitRate, '--hit-rate', problems);
  const most = Math.min(limitEntries ?? Infinity, limitBytes / Math.max(1, load.payloadBytes ?? 1));
  // Between two eviction passes the cache refills from the rest to the limit; the mean is its capacity.
  const capacity = most * (1 - (reclaimRatio ?? 0) / 2);
  const requests = Math.max(1, (load.rateHz * load.timeMs) / 1000);
  if (![skew, wantedHitRate, capacity, requests].every(Number.isFinite))
    return { kind: 'zipf', skew, population: 1, wantedHitRate };
  const population = populationFor(wantedHitRate, { skew, capacity, requests });
  if (population === null)
    problems.push(
      `--hit-rate ${raw.hitRate} cannot be reached with --skew ${raw.skew} in ${requests} requests; use another skew, more time, or --population N`,
    );
  return { kind: 'zipf', skew, population: population ?? 1, wantedHitRate };
}

function readReplay(
  raw: TrafficTexts,
  seed: number,
  longestMs: number,
  problems: Problems,
): Omit<Traffic, 'payloadBytes'> {
  const speed = readNumber('--speed', raw.speed, [0.001, 100_000], 'times', problems);
  const share = readShare(raw.share, '--share', problems);
  const none: Recording = {
    file: raw.traffic,
    format: 'har',
    requests: [],
    otherMethods: 0,
    malformed: 0,
    firstMalformed: null,
  };
  const recording = usableOf(raw, recordingOf(raw.traffic, problems), problems) ?? none;
  const isReadable = [speed, share, longestMs].every(Number.isFinite);
  const replay = isReadable
    ? replayed(recording.requests, { speed, share, seed, timeMs: longestMs })
    : [];
  if (isReadable && recording !== none && replay.length === 0)
    problems.push(`--share ${raw.share} of ${raw.traffic} leaves no request`);
  // The duration includes the last request.
  const timeMs = Math.min(longestMs, Math.max(1, Math.ceil((replay.at(-1)?.dueMs ?? 0) + 1)));
  const { file, format, requests, otherMethods, malformed } = recording;
  const counts = { recorded: requests.length, planned: replay.length, otherMethods, malformed };
  const traffic = { kind: 'replay', file, format, speed, share, ...counts } as const;
  return { traffic, replay, rateHz: (replay.length / timeMs) * 1000, timeMs };
}

/** With `--payload recorded`: one size per URL, and only requests with a size that an item of the origin can have. */
function usableOf(
  { payload }: TrafficTexts,
  recording: Recording | null,
  problems: Problems,
): Recording | null {
  if (recording === null || payload !== 'recorded') return recording;
  const { requests, unusable, firstUnusable } = oneSizeEach(recording.requests, largestItemBytes);
  if (requests.length > 0)
    return { ...recording, requests, malformed: recording.malformed + unusable };
  problems.push(
    `--payload recorded: ${recording.file} holds no request with a size that can be served; ${firstUnusable}`,
  );
  return null;
}

function recordingOf(path: string, problems: Problems): Recording | null {
  if (!existsSync(path)) {
    problems.push(
      `--traffic is ${JSON.stringify(path)}; it must be cache-bust, zipf, or a file that exists: a HAR or a log in the common log format`,
    );
    return null;
  }
  const read = readRecording(path);
  if ('value' in read) return read.value;
  problems.push(...read.problems.map((problem) => `--traffic: ${problem}`));
  return null;
}

function readPayload(raw: TrafficTexts, problems: Problems): number | null {
  if (raw.payload !== 'recorded') return readSize(raw.payload, '--payload', problems);
  if (generated.has(raw.traffic))
    problems.push('--payload recorded is for a replay; name a size, such as 100KiB');
  return null;
}
