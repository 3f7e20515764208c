import type { StorageKind } from '@cachescope/model/sample.ts';
import { isWorkloadName, knownNames } from '@cachescope/origin/workloads/catalog.ts';
import { maxDelayMs } from '../storage/delay.ts';
import {
  checkDisplay,
  type Problems,
  readInteger,
  readOut,
  readStorage,
} from './option-reading.ts';

/** What the command line of `explore` says, read and checked. */
export interface ExploreOptions {
  delayMs: number;
  /** Absolute; undefined: the origin's index page. */
  url: string | undefined;
  headless: boolean;
  storage: 'auto' | StorageKind;
  delayWrites: boolean;
  /** undefined: the origin's catalog. */
  workload: string | undefined;
  browser: string | undefined;
  out: string | undefined;
}

/** The command line as text, before it is read. */
export interface RawExploreOptions extends Omit<ExploreOptions, 'delayMs' | 'storage'> {
  delay: string;
  storage: string;
}

/** Read delay when the command line is silent: enough to be felt, and little enough to work with. */
export const exploreDefaults = { delay: '10', storage: 'auto' } as const;

const withoutDisplay =
  '; set one of them, start it under xvfb-run, or add --headless and use the control routes';

function readUrl(text: string | undefined, problems: Problems): string | undefined {
  if (text === undefined) return undefined;
  // `localhost:8080` alone would be read as a URL of the scheme `localhost`.
  const candidates = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? [text] : [text, `http://${text}`];
  const read = candidates.map((candidate) => URL.parse(candidate));
  const url = read.find((each) => each && /^(https?|file|data|about|chrome):$/.test(each.protocol));
  if (url) return url.href;
  problems.push(`--url ${JSON.stringify(text)} is no address of a page, such as http://localhost/`);
  return undefined;
}

/** Reads the command line of `explore`. All that is wrong with it is returned, none of it thrown. */
export function readExploreOptions(raw: RawExploreOptions): {
  options: ExploreOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const options: ExploreOptions = {
    ...raw,
    delayMs: readInteger('--delay', raw.delay, 0, maxDelayMs, problems),
    url: readUrl(raw.url, problems),
    storage: readStorage(raw.storage, problems),
    out: readOut(raw.out, problems),
  };
  if (raw.workload !== undefined && !isWorkloadName(raw.workload)) {
    problems.push(
      `--workload ${JSON.stringify(raw.workload)} is not known; known are ${knownNames}`,
    );
  }
  if (!raw.headless) checkDisplay('explore', withoutDisplay, problems);
  return { options, problems };
}
