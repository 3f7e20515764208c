import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { workloadProblem } from '@cachescope/origin/workloads/catalog.ts';
import { checkDisplay, type Problems } from '../../options/option-reading.ts';
import { delayRule, quantity } from '../../options/quantity-option.ts';
import { commandOptions } from '../../options/option-table.ts';
import { storageOption } from '../../options/shared-options.ts';
import { isThisMachine } from '../../options/this-machine.ts';
import { requireUsed } from '../../options/unused-options.ts';

/** The parsed options of `explore`. */
export interface ExploreAsked {
  delayMs: number;
  /** Absolute URL; null: the origin's index page. */
  url: string | null;
  /** The browser may contact other machines. */
  external: boolean;
  headless: boolean;
  storage: 'auto' | StorageKind;
  delayWrites: boolean;
  /** Also save the values of headers that let a reader of the run's files act as the user. */
  keepCredentials: boolean;
  /** undefined: the origin's catalog. */
  workload: string | undefined;
}

const withoutDisplay =
  '; set one of them, start it under xvfb-run, or add --headless and use the control routes';

const table = {
  delay: {
    value: '<ms>',
    description: 'read delay at the start',
    // Long enough to notice, and short enough to work with.
    default: '10',
    read: quantity(delayRule),
  },
  url: {
    value: '<url>',
    description: "page to open first (default: the origin's index)",
    read: readUrl,
  },
  external: { description: 'allow the browser to contact other machines' },
  headless: { description: 'without a window' },
  storage: storageOption('auto, dm-delay, nbd-live, nbd-delay or none'),
  delayWrites: { description: 'delay writes too' },
  keepCredentials: {
    description: 'save the values of Cookie, Set-Cookie, Authorization and Proxy-Authorization too',
  },
  workload: {
    value: '<name>',
    description: 'pdfjs, three or synthetic:SIZE (default: pdfjs and three)',
    read: readWorkload,
  },
};

export const exploreOptions = commandOptions(
  table,
  ({ delay: delayMs, url = null, ...asked }, problems, typed): ExploreAsked => {
    const uses = [
      {
        options: ['delay', 'delayWrites'],
        isUsed: asked.storage !== 'none',
        otherwise: '--storage none has no slow disk',
      },
    ];
    requireUsed(typed, uses, problems);
    if (url !== null && !asked.external) requireThisMachine(url, problems);
    if (!asked.headless) checkDisplay('explore', withoutDisplay, problems);
    return { ...asked, delayMs, url };
  },
  // Explorations draw nothing at random.
  ['seed', 'shard', 'plan'],
);

function readUrl(text: string, flag: string, problems: Problems): string | null {
  // `localhost:8080` alone would be parsed as a URL with the scheme `localhost`.
  const candidates = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? [text] : [text, `http://${text}`];
  const read = candidates.map((candidate) => URL.parse(candidate));
  const url = read.find((each) => each && /^(https?|file|data|about|chrome):$/.test(each.protocol));
  if (url) return url.href;
  problems.push(
    `${flag} ${JSON.stringify(text)} is not the URL of a page, such as http://localhost/`,
  );
  return null;
}

function requireThisMachine(text: string, problems: Problems): void {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || isThisMachine(url)) return;
  problems.push(
    `--url ${url.hostname} is not this machine; --external allows the browser to contact that host and every other`,
  );
}

function readWorkload(text: string, flag: string, problems: Problems): string {
  const problem = workloadProblem(text);
  if (problem !== null) problems.push(`${flag} ${JSON.stringify(text)} ${problem}`);
  return text;
}
