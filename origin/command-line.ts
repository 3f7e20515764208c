import { type Qualities, qualityProblems } from './encoding/qualities.ts';
import { OriginError } from './error.ts';
import { isWorkloadName, knownNames } from './workloads/catalog.ts';

/** The command line as text, before it is read. */
export interface OriginFlags {
  host: string;
  port: string;
  workload?: string;
  dictionary?: string;
  resource?: string;
  gzipQuality?: string;
  brotliQuality?: string;
  zstdQuality?: string;
  dcbQuality?: string;
  dczQuality?: string;
}

/** The command line, read and checked. */
export interface OriginCommandLine {
  host: string;
  port: number;
  qualities: Partial<Qualities>;
  /** null: all real ones. */
  workload: { name: string } | { dictionary: string; resource: string } | null;
}

type Problems = string[];

/** A whole number as such; any other text as it is, for the message that refuses it. */
function wholeNumber(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function readPort(text: string, problems: Problems): number {
  const port = wholeNumber(text);
  if (typeof port === 'number' && port <= 65_535) return port;
  problems.push(`--port is ${JSON.stringify(text)}; it must be a whole number from 0 to 65535`);
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

function readWorkload(flags: OriginFlags, problems: Problems): OriginCommandLine['workload'] {
  const { workload: name, dictionary, resource } = flags;
  if (name !== undefined && !isWorkloadName(name))
    problems.push(`--workload ${JSON.stringify(name)} is not known; known are ${knownNames}`);
  if (dictionary === undefined && resource === undefined)
    return name === undefined ? null : { name };
  if (name !== undefined)
    problems.push('--workload and --dictionary/--resource exclude each other');
  if (dictionary === undefined || resource === undefined)
    problems.push('--dictionary and --resource go together: the older and newer version of a file');
  return { dictionary: dictionary ?? '', resource: resource ?? '' };
}

/**
 * Reads the command line of the origin.
 *
 * @throws OriginError CS_USAGE naming all that is wrong with it.
 */
export function readCommandLine(flags: OriginFlags): OriginCommandLine {
  const problems: Problems = [];
  const commandLine = {
    host: flags.host,
    port: readPort(flags.port, problems),
    qualities: readQualities(flags, problems),
    workload: readWorkload(flags, problems),
  };
  if (problems.length === 0) return commandLine;
  throw new OriginError('CS_USAGE', problems.map((problem) => `\n  - ${problem}`).join(''));
}
