import { microCaches } from '@cachescope/model/micro/cache.ts';
import type { MicroPlan } from '@cachescope/model/micro/run.ts';
import { microParts } from '@cachescope/model/micro/slice.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { diskCacheBackEnds } from '@cachescope/model/run/variant.ts';
import { largestEntryBytes } from '@cachescope/origin/routes/micro.ts';
import { integerFrom, type Problems, readInteger } from '../../options/option-reading.ts';
import { commaSeparated, someInOrder } from '../../options/name-reading.ts';
import { delayRule, quantities, quantity } from '../../options/quantity-option.ts';
import { commandOptions } from '../../options/option-table.ts';
import { requireUsed } from '../../options/unused-options.ts';
import { featuresOption } from '../../options/features-reading.ts';
import { headful, storageOption } from '../../options/shared-options.ts';

/** The parsed options of `micro`. */
export interface MicroAsked {
  /** The plan without the storage, which is found later. */
  plan: Omit<MicroPlan, 'storage'>;
  storage: 'auto' | StorageKind;
  headful: boolean;
}

/** Number of resources in the list, as in Mozilla's published micro-benchmarks. */
const listLength = 101;
/** Disk is clearly slower when it takes 10 % longer than memory. */
const crossoverMargin = 0.1;
const maxLaunches = 100;
const maxEntries = 200_000;
const maxListed = 16;

function numbersFrom(min: number, max: number) {
  return (text: string, flag: string, problems: Problems): number[] => {
    const list = commaSeparated(text);
    if (new Set(list).size < list.length) problems.push(`${flag} ${text} names a value twice`);
    if (list.length > maxListed)
      problems.push(`${flag} names ${list.length} values; at most ${maxListed} fit a table`);
    const numbers = list.map((word) => readInteger(`${flag}: a value`, word, min, max, problems));
    return numbers.toSorted((one, other) => one - other);
  };
}

/**
 * The options of `micro`. The defaults are the sizes and times of Mozilla's published micro-benchmarks, and enough
 * launches for an interval.
 */
export const microOptions = commandOptions(
  {
    parts: {
      value: '<list>',
      description: 'some of table, list, search, crossover',
      default: microParts.join(','),
      read: someInOrder(microParts, 'a value'),
    },
    time: {
      value: '<time>',
      description: 'time for each row of the table, such as 10s; a number alone is in s',
      default: '10s',
      read: quantity({ kind: 'time', from: '100ms', to: '1h', bare: 's' }),
    },
    sizes: {
      value: '<list>',
      description: 'sizes of the resources, such as 50KiB; a number alone is in bytes',
      default: '50B,1KiB,50KiB,512KiB',
      read: quantities(
        { kind: 'size', from: '1B', to: `${largestEntryBytes / 2 ** 20}MiB`, bare: 'B' },
        maxListed,
      ),
    },
    caches: {
      value: '<list>',
      description: 'which caches',
      default: microCaches.join(','),
      read: someInOrder(microCaches, 'a value'),
    },
    entries: {
      value: '<list>',
      description: 'numbers of entries in the searched cache',
      default: '0,100,1000,10000,50000',
      read: numbersFrom(0, maxEntries),
    },
    backEnds: {
      value: '<list>',
      description: 'disk cache back ends to search',
      default: diskCacheBackEnds.join(','),
      read: someInOrder(diskCacheBackEnds, 'a value'),
    },
    delay: {
      value: '<list>',
      description: 'also measure list and crossover on a slow disk with these read delays, ms',
      read: quantities({ ...delayRule, from: '1ms' }, maxListed),
    },
    launches: {
      value: '<n>',
      description: 'browser launches that share the iterations of a row',
      default: '5',
      read: integerFrom(1, maxLaunches),
    },
    features: featuresOption,
    storage: storageOption('auto, dm-delay, nbd-live or nbd-delay, for --delay'),
    headful,
  },
  (values, problems, typed): MicroAsked => {
    const { parts, caches, sizes, time, launches, entries, backEnds, delay = [], seed } = values;
    const { storage, headful } = values;
    const has = (...some: typeof parts) => some.some((part) => parts.includes(part));
    const isSearched = has('search') && (caches.includes('memory') || caches.includes('disk'));
    const uses = [
      {
        options: ['parts'],
        isUsed: isSearched || !has('search') || caches.length === 0,
        otherwise: 'search needs the cache memory or disk in --caches',
      },
      { options: ['time'], isUsed: has('table', 'search'), otherwise: 'only for table and search' },
      { options: ['sizes'], isUsed: has('table', 'list'), otherwise: 'only for table and list' },
      {
        options: ['caches'],
        isUsed: has('table', 'list', 'search'),
        otherwise: 'only for table, list and search',
      },
      {
        options: ['entries'],
        isUsed: isSearched,
        otherwise: 'only for search with the cache memory or disk',
      },
      {
        options: ['backEnds'],
        isUsed: has('search') && caches.includes('disk'),
        otherwise: 'only for search with the cache disk',
      },
      {
        options: ['delay'],
        isUsed: has('crossover') || (has('list') && caches.includes('disk')),
        otherwise: 'only for crossover, and for list with the cache disk',
      },
      { options: ['storage'], isUsed: delay.length > 0, otherwise: 'only with --delay' },
    ];
    requireUsed(typed, uses, problems);
    if (delay.length > 0 && storage === 'none')
      problems.push('--delay needs storage with a delay; --storage none has none');
    const chosen = { parts, caches, launches, entries, backEnds, seed };
    const settings = values.features && { settings: values.features };
    const plan = { ...chosen, ...settings, sizesBytes: sizes, timeMs: time, delaysMs: delay };
    return { plan: { ...plan, listLength, crossoverMargin }, storage, headful };
  },
);
