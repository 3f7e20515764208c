import { answerText, isCacheSource } from '@cachescope/model/attribution/answer-text.ts';
import { verdictName } from '@cachescope/model/attribution/answer.ts';
import type { CacheSource } from '@cachescope/model/attribution/cache-source.ts';
import type { Attribution, Signal } from '@cachescope/model/run/sample.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import type { IconName } from '../icon.ts';

const icons: Readonly<Record<CacheSource, IconName>> = {
  network: 'cloud',
  memory: 'memory',
  disk: 'database',
  revalidated: 'sync',
  'stale-while-revalidate': 'history',
  prefetch: 'speculative-loads',
  'early-hints': 'lightbulb',
  bfcache: 'history',
  'service-worker': 'gears',
  preload: 'download',
  'same-document': 'replay',
  data: 'code-circle',
  blob: 'code-circle',
  mixed: 'arrow-up-down',
  blocked: 'cross-circle',
  failed: 'warning',
  unknown: 'help',
};

/** The text of a verdict for a cell of the grid. */
export function verdictText(attribution: Attribution): string {
  const { source, signals, cacheStorageName, failure, parts } = attribution;
  if (source === 'unknown') return `(unknown: ${unknownReason(signals)})`;
  const text = answerText(verdictName(attribution));
  if (parts)
    return `${byteSize(parts.networkBytes)} network, ${byteSize(parts.cachedBytes)} (disk cache)`;
  if (failure) return `${text}: ${failure}`;
  return cacheStorageName
    ? text.replace('Cache Storage', `Cache Storage “${cacheStorageName}”`)
    : text;
}

/** The reason of an unknown verdict, short enough for a cell. The drawer shows all reasons. */
function unknownReason(signals: readonly Signal[] = []): string {
  const isAny = (stance: Signal['stance']) => signals.some((each) => each.stance === stance);
  if (signals.some(({ isHidden }) => isHidden)) return 'no Timing-Allow-Origin';
  if (isAny('disagrees')) return 'witnesses disagree';
  // The agreeing signals leave several possible sources, which have no common name.
  if (isAny('agrees')) return 'several are possible';
  return 'no evidence';
}

/** The icon beside the verdict's text. */
export function verdictIcon({ source }: Attribution): IconName {
  return isCacheSource(source) ? icons[source] : 'help';
}

/** All icons of verdicts. */
export const verdictIcons: readonly IconName[] = Object.values(icons);

/** The sources that a verdict does not distinguish, as a sentence; empty when there are none. */
export function openQuestion({ source, candidates = [] }: Attribution): string {
  if (source === 'unknown' && candidates.length > 0) {
    return `It may be ${alternatives.format(candidates.map(answerText))}.`;
  }
  if (candidates.length > 1) {
    return `Not distinguished: ${alternatives.format(candidates.map(answerText))}.`;
  }
  return '';
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });
