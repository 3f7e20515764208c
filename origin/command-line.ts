import { type Qualities, qualityProblems } from './encoding/qualities.ts';
import { OriginError } from './error.ts';
import { catalog, findWorkload, workloadProblem } from './workloads/catalog.ts';
import { userWorkload } from './workloads/user-pair.ts';
import type { Workload } from './workloads/workload.ts';

/** The options of the command line as text, before parsing. */
export interface OriginFlags {
  host: string;
  port: string;
  /** Absent: any free ports. */
  tlsPort?: string;
  workload?: string;
  dictionary?: string;
  resource?: string;
  gzipQuality?: string;
  brotliQuality?: string;
  zstdQuality?: string;
  dcbQuality?: string;
  dczQuality?: string;
}

/** The parsed and checked command line. */
export interface OriginCommandLine {
  host: string;
  port: number;
  qualities: Partial<Qualities>;
  /** Transfers over TLS: HTTP/1.1 on this port, HTTP/2 on the next; 0: any free ones. */
  transfer: { tlsPort: number };
  /** The named workload, the user's own pair, or all real workloads. */
  workloads: Workload[];
}

type Problems = string[];

/** Parses a whole number; returns any other text unchanged, for the error message. */
function wholeNumber(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function readPort(option: string, text: string, most: number, problems: Problems): number {
  const port = wholeNumber(text);
  if (typeof port === 'number' && port <= most) return port;
  problems.push(
    `${option} is ${JSON.stringify(text)}; it must be a whole number from 0 to ${most}`,
  );
  return 0;
}

function readQualities(flags: OriginFlags, problems: Problems): Partial<Qualities> {
  const texts: Record<keyof Qualities, string | undefined> = {
    gzip: flags.gzipQuality,
    br: flags.brotliQuality,
    zstd: flags.zstdQuality,
    dcb: flags.dcbQuality,
    dcz: flags.dczQuality,
  };
  const wanted = Object.fromEntries(
    Object.entries(texts).flatMap(([coding, text]) =>
      text === undefined ? [] : [[coding, wholeNumber(text)]],
    ),
  );
  problems.push(...qualityProblems(wanted));
  return wanted;
}

/** The user's own pair; empty when it cannot be read. */
async function readPair(
  dictionary: string,
  resource: string,
  problems: Problems,
): Promise<Workload[]> {
  try {
    return [await userWorkload(dictionary, resource)];
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    problems.push(...error.message.split('\n'));
    return [];
  }
}

async function readWorkloads(flags: OriginFlags, problems: Problems): Promise<Workload[]> {
  const { workload: name, dictionary, resource } = flags;
  const problem = name === undefined ? null : workloadProblem(name);
  if (problem !== null) problems.push(`--workload ${JSON.stringify(name)} ${problem}`);
  if (dictionary === undefined && resource === undefined) {
    if (name === undefined) return catalog();
    return problem === null ? [await findWorkload(name)] : [];
  }
  if (name !== undefined)
    problems.push('--workload and --dictionary/--resource exclude each other');
  if (dictionary !== undefined && resource !== undefined)
    return readPair(dictionary, resource, problems);
  problems.push('--dictionary and --resource go together: the older and newer version of a file');
  return [];
}

/**
 * Parses the origin's command line, and reads the files that it names. `unknown` are unrecognized options.
 *
 * @throws OriginError CS_USAGE listing all problems; CS_WORKLOAD_PACKAGE when a package is not installed.
 */
export async function readCommandLine(
  flags: OriginFlags,
  unknown: readonly string[] = [],
): Promise<OriginCommandLine> {
  const problems: Problems = unknown.map((word) => `${word} is not known; see --help`);
  const commandLine = {
    host: flags.host,
    port: readPort('--port', flags.port, 65_535, problems),
    qualities: readQualities(flags, problems),
    // The next port is used for HTTP/2, so the last port number is not allowed.
    transfer: { tlsPort: readPort('--tls-port', flags.tlsPort ?? '0', 65_534, problems) },
    workloads: await readWorkloads(flags, problems),
  };
  if (problems.length === 0) return commandLine;
  throw new OriginError(
    'CS_USAGE',
    ['the command line cannot be used:', ...problems].join('\n  - '),
  );
}

/** Whether an address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** Warning before listening on an address that other machines can reach; null for loopback. */
export function exposureWarning(host: string): string | null {
  if (isLoopback(host)) return null;
  return `Warning: ${host} is not loopback. Everyone who reaches this machine can read the workloads and have it send transfers of up to 64 MB and streams of random bytes of up to 1 TiB (on each port at most 512 connections, and 5,000 requests a second from one address), and browsers elsewhere use no dictionary over plain http, which is no secure context.`;
}
