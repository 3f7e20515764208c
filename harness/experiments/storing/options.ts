import { dictionaryCodings } from '@cachescope/model/coding.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { type StoringPlan, storingBodies } from '@cachescope/model/storing/run.ts';
import { featureNames, readFeatureVariants } from '../../options/features-reading.ts';
import { someInOrder } from '../../options/name-reading.ts';
import { integerFrom } from '../../options/option-reading.ts';
import { quantities } from '../../options/quantity-option.ts';
import { commandOptions } from '../../options/option-table.ts';
import { headful } from '../../options/shared-options.ts';
import { ampleBytes, storedByLaunch } from './launch-size.ts';

/** The parsed options of `storing`. */
export interface StoringAsked {
  plan: StoringPlan;
  headful: boolean;
}

const mostTenBytes = 2 ** 20;
/** Chromium stores no entry above an eighth of the limit, and an entry is larger than its body. */
export const limitShare = 10;
const maxLaunches = 100;
/** The most take 56 min in each pass. */
const requestsRange = [100, 100_000] as const;
/**
 * The replayed traffic: the Zipf exponent of `reclaim`, and as many keys as give a least recently used cache of about 93
 * entries the hit rate that the BBC Belfrage report (2020) has for a replayed log, 34 %. The rate is limited because
 * Chromium's simple back end notes the last use of an entry in whole seconds (net/disk_cache/simple/simple_index.h): a
 * cache that is filled anew each second would evict in any order.
 */
const replayed = { rateHz: 30, skew: 0.8, keys: 1200 };
/** Limit of the cache for the replayed traffic, in bodies. */
const replayedBodies = 100;
const mostSizes = 16;

/** The options of `storing`. */
export const storingOptions = commandOptions(
  {
    features: {
      value: '<list>',
      description: `feature presets to compare with the browser as it is: ${featureNames}`,
      default: 'recompress',
      read: readFeatureVariants,
    },
    arms: {
      value: '<list>',
      description: 'content codings: dcb, dcz',
      default: 'dcb,dcz',
      read: someInOrder(dictionaryCodings, 'a coding'),
    },
    sizes: {
      value: '<list>',
      description:
        'decoded sizes of the responses; ten of the largest up to 1MiB are also stored at once',
      default: '10KiB,100KiB,1MiB,10MiB',
      read: quantities({ kind: 'size', from: '1KiB', to: '32MiB', bare: 'B' }, mostSizes),
    },
    replay: {
      value: '<n>',
      description:
        'also measure the hit rate of a cache with a limit: requests of replayed Zipf traffic, 30 a second (default: none)',
      read: integerFrom(...requestsRange),
    },
    launches: {
      value: '<n>',
      description: 'number of passes; each launches every browser once',
      default: '6',
      read: integerFrom(1, maxLaunches),
    },
    headful,
  },
  (
    { features: variants, arms, sizes: sizesBytes, replay, launches, seed, headful },
    problems,
  ): StoringAsked => {
    const small = sizesBytes.findLast((bytes) => bytes <= mostTenBytes);
    if (sizesBytes.length > 0 && small === undefined)
      problems.push(
        '--sizes has none up to 1MiB; ten of the largest up to that are stored at once',
      );
    const tenBytes = small ?? mostTenBytes;
    const bodies = [...storingBodies];
    const storedBytes = storedByLaunch({ sizesBytes, tenBytes, bodies, codings: arms });
    if (storedBytes > ampleBytes)
      problems.push(
        `--sizes: each browser would store ${byteSize(storedBytes)} in a cache of ${byteSize(ampleBytes)}; name fewer or smaller sizes`,
      );
    const limitBytes = limitShare * tenBytes;
    const plan = {
      variants,
      codings: arms,
      sizesBytes,
      bodies,
      tenBytes,
      limitBytes,
      ...(replay !== undefined && {
        replay: { requests: replay, ...replayed, limitBytes: replayedBodies * tenBytes },
      }),
      launches,
      seed,
    };
    return { plan, headful };
  },
  ['shard', 'plan'],
);
