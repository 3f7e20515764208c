import { pageArms, pageStates } from '@cachescope/model/pageload/load.ts';
import type { PageloadPlan } from '@cachescope/model/pageload/run.ts';
import {
  isSamplePage,
  type SamplePage,
  samplePages,
} from '@cachescope/origin/workloads/pageload-samples.ts';
import { integerFrom, type Problems, readNewFile } from '../../options/option-reading.ts';
import { oneOf, someInOrder } from '../../options/name-reading.ts';
import { delayRule, quantities, quantity } from '../../options/quantity-option.ts';
import { commandOptions } from '../../options/option-table.ts';
import { requireUsed } from '../../options/unused-options.ts';
import { featuresOption } from '../../options/features-reading.ts';
import { linkOption } from '../../options/link-option.ts';
import { headful, marginOption, storageOption } from '../../options/shared-options.ts';
import { isThisMachine } from '../../options/this-machine.ts';

/** The source of the page. */
export type PageChoice =
  | { from: 'har'; path: string }
  | { from: 'list'; path: string }
  | { from: 'url'; url: string; external: boolean }
  | { from: 'sample'; name: SamplePage };

/** The parsed options of `pageload`. */
export type PageAsked = ReturnType<typeof pageloadOptions.read>['asked'];

/** The values of the four options that name a page. */
type NamedPage = Record<'har' | 'list' | 'url' | 'sample', string | undefined> & {
  external: boolean;
};

function readUrl(text: string, external: boolean, problems: Problems): PageChoice {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    problems.push(`--url ${JSON.stringify(text)} is not an http: or https: URL`);
  else if (!external && !isThisMachine(url))
    problems.push(
      `--url ${url.hostname} is not this machine; --external allows the recording, and only the recording, to contact that host and every host that its page names`,
    );
  return { from: 'url', url: text, external };
}

/** Exactly one of the four must be given. */
function readPage(named: NamedPage, problems: Problems): PageChoice {
  const { har, list, url, sample, external } = named;
  const pages = [har, list, url, sample].filter((each) => each !== undefined);
  if (pages.length !== 1)
    problems.push(
      `name the page with one of --har FILE, --list FILE, --url URL and --sample NAME; ${pages.length} are named`,
    );
  if (external && url === undefined) problems.push('--external needs --url');
  if (list !== undefined) return { from: 'list', path: list };
  if (url !== undefined) return readUrl(url, external, problems);
  if (sample === undefined) return { from: 'har', path: har ?? '' };
  if (isSamplePage(sample)) return { from: 'sample', name: sample };
  const known = Object.keys(samplePages).join(', ');
  problems.push(`--sample is ${JSON.stringify(sample)}; known are ${known}`);
  return { from: 'sample', name: 'news' };
}

/** The options of `pageload`. The defaults take every kind of load, and enough of each for an interval. */
export const pageloadOptions = commandOptions(
  {
    har: { value: '<file>', description: 'page from an HTTP Archive' },
    list: {
      value: '<file>',
      description: 'page from a text list: TYPE BYTES NAME [CACHING], indented',
    },
    url: {
      value: '<url>',
      description: 'page recorded from a server on this machine',
    },
    sample: {
      value: '<name>',
      description: 'news (300 resources) or app (40 large scripts)',
    },
    external: { description: 'with --url: allow the recording to contact other machines' },
    bodies: {
      value: '<kind>',
      description: 'synthetic or recorded (from the archive)',
      default: 'synthetic',
      read: oneOf(['synthetic', 'recorded']),
    },
    saveHar: {
      value: '<file>',
      description: 'also write the page as a HAR, to a new file (with --dry-run too)',
      read: readNewFile,
    },
    states: {
      value: '<list>',
      description: 'which loads',
      default: pageStates.join(','),
      read: someInOrder(pageStates),
    },
    arms: {
      value: '<list>',
      description: 'how scripts and styles are delivered',
      default: pageArms.join(','),
      read: someInOrder(pageArms),
    },
    delay: {
      value: '<list>',
      description: 'cache on a slow disk with these read delays, ms',
      read: quantities(delayRule),
    },
    launches: {
      value: '<n>',
      description: 'loads of each kind, each in browsers of its own',
      default: '6',
      read: integerFrom(1, 1000),
    },
    serverDelay: {
      value: '<ms>',
      description: 'wait of the origin before each response',
      default: '0',
      read: quantity({ kind: 'time', from: '0ms', to: '10s', bare: 'ms' }),
    },
    link: linkOption,
    features: featuresOption,
    margin: marginOption,
    storage: storageOption('auto, dm-delay, nbd-live or nbd-delay, for --delay'),
    headful,
  },
  (values, problems, typed) => {
    const { bodies, saveHar, delay = [], storage, headful } = values;
    const page = readPage(values, problems);
    if (bodies === 'recorded' && (page.from === 'list' || page.from === 'sample'))
      problems.push(`--bodies recorded: a ${page.from} has no bodies`);
    if (saveHar !== undefined && page.from === 'list')
      problems.push('--save-har: a list has no archive');
    if (saveHar !== undefined && page.from === 'har')
      problems.push('--save-har: an archive is there already, and a copy would hold its cookies');
    const uses = [
      { options: ['storage'], isUsed: delay.length > 0, otherwise: 'only with --delay' },
    ];
    requireUsed(typed, uses, problems);
    if (delay.length > 0 && storage === 'none')
      problems.push('--delay needs storage with a delay; --storage none has none');
    const { states, arms, launches: passes, serverDelay: serverDelayMs, seed, margin } = values;
    const settings = {
      ...(values.features && { settings: values.features }),
      ...(values.link && { link: values.link }),
    };
    const asked = { states, arms, delaysMs: delay, passes, serverDelayMs, seed, margin };
    /** Without the storage, which is found later. */
    const plan: Omit<PageloadPlan, 'storage'> = { ...asked, ...settings };
    /** `saveHar`: path of the HAR that the page is also written to; undefined: none. */
    return { page, bodies, saveHar, plan, storage, headful };
  },
);
