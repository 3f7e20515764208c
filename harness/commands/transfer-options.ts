import type { EnvironmentRule } from '../environment/environment-rule.ts';
import { readDecimalSize } from '@cachescope/model/decimal-size.ts';
import type { TransferPlan } from '@cachescope/model/transfer-run.ts';
import {
  connectionStates,
  transferClients,
  transferProtocols,
} from '@cachescope/model/transfer-sample.ts';
import { defaultMargin } from '@cachescope/model/statistics/verdict.ts';
import {
  largestRequestBytes,
  largestResponseBytes,
  longestServerDelayMs,
} from '@cachescope/model/transfer-task.ts';
import {
  checkDisplay,
  type Problems,
  readEnvironmentRule,
  readInteger,
  readNumber,
  readOut,
  readPercentage,
} from './option-reading.ts';

/** What the command line of `transfer` says, read and checked. */
export interface TransferOptions {
  plan: TransferPlan;
  /** Of an origin elsewhere; null: one is started here. */
  originUrl: string | null;
  /** Round trip that a network emulator is to add, ms; null: none. */
  netemMs: number | null;
  browser: string | undefined;
  environment: EnvironmentRule;
  /** Wait for another run on this machine to end, instead of being refused. */
  wait: boolean;
  headful: boolean;
  out: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** The command line as text, before it is read. */
export interface RawTransferOptions {
  sizes: string;
  requests: string;
  launches: string;
  requestBytes: string;
  protocols: string;
  connections: string;
  clients: string;
  serverDelay: string;
  netem?: string;
  origin?: string;
  margin: string;
  seed?: string;
  browser?: string;
  env: string;
  wait: boolean;
  headful: boolean;
  out?: string;
  json: boolean;
  dryRun: boolean;
}

/** When the command line is silent: the source document's 100 requests of 800 bytes, and sizes around those it names. */
export const transferDefaults = {
  sizes: '1k,2k,5k,10k,20k,35k,70k,100k,200k,300k,400k,700k,1m,2m',
  requests: '100',
  launches: '10',
  requestBytes: '800',
  protocols: transferProtocols.join(','),
  connections: 'cold,warm',
  clients: transferClients.join(','),
  serverDelay: '0',
  margin: `${defaultMargin * 100}%`,
  env: 'warn',
} as const;

const mostSizes = 100;
const longestRoundTripMs = 2000;

function readList<Name extends string>(
  flag: string,
  text: string,
  known: readonly Name[],
  problems: Problems,
): Name[] {
  const names = text.split(',').map((name) => name.trim());
  const found = names.flatMap((name) => known.find((each) => each === name) ?? []);
  const strange = names.filter((name) => !known.some((each) => each === name));
  if (strange.length > 0)
    problems.push(
      `${flag} names ${strange.map((name) => JSON.stringify(name)).join(', ')}; known are ${known.join(', ')}`,
    );
  if (new Set(names).size < names.length) problems.push(`${flag} ${text} names one twice`);
  return found;
}

function readSizes(text: string, problems: Problems): number[] {
  const sizes = text
    .split(',')
    .map((word) => ({ word, bytes: readDecimalSize(word.trim(), largestResponseBytes) }));
  const strange = sizes.filter(({ bytes }) => bytes === null).map(({ word }) => word);
  if (strange.length > 0)
    problems.push(
      `--sizes names ${strange.map((word) => JSON.stringify(word)).join(', ')}; a size is from 1 to ${largestResponseBytes} bytes, as 800, 35k or 2m`,
    );
  const known = sizes.flatMap(({ bytes }) => bytes ?? []);
  const distinct = [...new Set(known)].toSorted((one, other) => one - other);
  if (distinct.length < known.length) problems.push(`--sizes ${text} names a size twice`);
  if (distinct.length > mostSizes)
    problems.push(`--sizes names ${distinct.length} sizes; at most ${mostSizes} fit`);
  return distinct;
}

function readOrigin(text: string | undefined, problems: Problems): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (url?.protocol === 'http:' && url.pathname === '/' && url.username === '') return url.origin;
  problems.push(
    `--origin ${JSON.stringify(text)} is no address of an origin, such as http://10.0.0.2:8042; it tells itself where its other protocols are`,
  );
  return null;
}

/** Reads the command line of `transfer`. All that is wrong with it is returned, none of it thrown. */
export function readTransferOptions(raw: RawTransferOptions): {
  options: TransferOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const requestsPerCell = readInteger('--requests', raw.requests, 1, 100_000, problems);
  const launches = readInteger('--launches', raw.launches, 1, 1000, problems);
  if (launches > requestsPerCell)
    problems.push(
      `--launches ${launches} is above --requests ${requestsPerCell}: some would be empty`,
    );
  const seed = raw.seed ?? String(Math.floor(Math.random() * 2 ** 32));
  const plan: TransferPlan = {
    clients: readList('--clients', raw.clients, transferClients, problems),
    protocols: readList('--protocols', raw.protocols, transferProtocols, problems),
    connections: readList('--connections', raw.connections, connectionStates, problems),
    sizesBytes: readSizes(raw.sizes, problems),
    requestBytes: readInteger(
      '--request-bytes',
      raw.requestBytes,
      0,
      largestRequestBytes,
      problems,
    ),
    requestsPerCell,
    launches,
    serverDelayMs: readNumber(
      '--server-delay',
      raw.serverDelay,
      [0, longestServerDelayMs],
      'ms',
      problems,
    ),
    seed: readInteger('--seed', seed, 0, 2 ** 32 - 1, problems),
    margin: readPercentage('--margin', raw.margin, [0.1, 50], problems),
  };
  const netemMs =
    raw.netem === undefined
      ? null
      : readNumber('--netem', raw.netem, [0.1, longestRoundTripMs], 'ms', problems);
  const originUrl = readOrigin(raw.origin, problems);
  if (netemMs !== null && raw.origin !== undefined)
    problems.push('--netem and --origin exclude each other: the network to an origin is there');
  const { browser, wait, headful, json, dryRun } = raw;
  const environment = readEnvironmentRule(raw.env, problems);
  if (headful) checkDisplay('--headful', '', problems);
  const out = readOut(raw.out, problems);
  return {
    options: { plan, originUrl, netemMs, environment, wait, browser, headful, out, json, dryRun },
    problems,
  };
}
