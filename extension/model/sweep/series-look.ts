import type { Coding } from '../coding.ts';
import { type LookName, looks } from '../page/chart.ts';
import { isRecompressed } from './recompressed.ts';
import { isSameSeries, type Series, type SeriesPair } from './series.ts';

/** The look of a series in every chart of a report; `dash`: place in the list of dash patterns. */
export interface SeriesLook {
  look: LookName;
  dash: number;
}

const armLooks: Readonly<Record<Coding, LookName>> = {
  br: 'blue',
  dcb: 'orange',
  gzip: 'green',
  dcz: 'purple',
  zstd: 'cyan',
  identity: 'neutral',
};

/** The look of an arm; one that Chromium recompressed has its own. */
export function armLook(arm: Coding, variant: string | undefined): LookName {
  if (!isRecompressed({ variant })) return armLooks[arm];
  return arm === 'dcz' ? 'yellow' : 'pink';
}

/**
 * Arms differ by colour and marker, variants by the line. With one arm only, variants differ by all three. `all`: every
 * series of the run.
 */
export function seriesLook(all: readonly Series[], series: Series): SeriesLook {
  if (isRecompressed(series)) return { look: armLook(series.arm, series.variant), dash: 0 };
  const variants = [
    ...new Set(all.filter((each) => !isRecompressed(each)).map(({ variant }) => variant)),
  ];
  const arms = new Set(all.map(({ arm }) => arm));
  const dash = Math.max(0, variants.indexOf(series.variant));
  const isOfVariant = variants.length > 1 && arms.size === 1;
  return { look: isOfVariant ? lookAt(dash) : armLooks[series.arm], dash };
}

/**
 * The look of a pair among those that a report draws: that of its first series, of its second, or another one, so that no
 * two pairs look alike.
 */
export function pairLook(
  all: readonly Series[],
  pairs: readonly Pick<SeriesPair, 'of' | 'against'>[],
  wanted: Pick<SeriesPair, 'of' | 'against'>,
): SeriesLook {
  const taken = new Set<LookName>();
  for (const { of, against } of pairs) {
    const own = seriesLook(all, of);
    const names = [own.look, seriesLook(all, against).look, ...looks];
    const look = names.find((name) => !taken.has(name)) ?? own.look;
    if (isSameSeries(of, wanted.of) && isSameSeries(against, wanted.against))
      return { look, dash: own.dash };
    taken.add(look);
  }
  return seriesLook(all, wanted.of);
}

/** The look at a position of a list that has none of its own; looks repeat after the last. */
function lookAt(place: number): LookName {
  return looks[place % looks.length] ?? 'neutral';
}
