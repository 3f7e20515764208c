import type { Settings } from '../run/variant.ts';
import type { ObservedCache } from './evidence.ts';
import { type FeaturePreset, featurePresets } from './presets.ts';

/** A preset in its setting: `on`, `off` or a number. */
interface PresetSetting {
  preset: FeaturePreset;
  setting: string;
}

/** Whether a preset was in effect, by one of the browsers with it and those without. */
export interface Effect {
  isShown: boolean;
  /** In a clause: `sql-wal was in effect (3 of 3 databases with a write-ahead log)`. */
  text: string;
}

/** The presets that settings contain, whoever wrote them. */
function presetsIn(settings: Settings): PresetSetting[] {
  const { enabledFeatures = [], disabledFeatures = [], diskCacheParameters = {} } = settings;
  return featurePresets.flatMap((preset): PresetSetting[] => {
    const { features = [], parameter, isOnByDefault = false } = preset;
    const value = parameter && diskCacheParameters[parameter.name];
    if (parameter) {
      if (value === undefined || value === 'false') return [];
      return [{ preset, setting: parameter.is === 'number' ? value : 'on' }];
    }
    const list = isOnByDefault ? disabledFeatures : enabledFeatures;
    if (!features.every((feature) => list.includes(feature))) return [];
    return [{ preset, setting: isOnByDefault ? 'off' : 'on' }];
  });
}

function nameOf({ preset: { name }, setting }: PresetSetting): string {
  return setting === 'on' ? name : `${name}=${setting}`;
}

/** The histograms that the evidence of the presets in these settings needs. */
export function histogramsNeeded(all: readonly Settings[]): string[] {
  const presets = all.flatMap(presetsIn);
  return [...new Set(presets.flatMap(({ preset }) => preset.evidence.histogram ?? []))];
}

/** One side of a comparison. */
export interface PresetSide {
  settings: Settings;
  /** What its browsers left; empty: the run did not look. */
  caches: readonly ObservedCache[];
}

/**
 * Why a comparison gets no verdict, as a clause: a preset that only one side has is not shown to be in effect. null: each
 * is, or there is none.
 */
export function notInEffect(of: PresetSide, against: PresetSide): string | null {
  const effects = [...effectsBetween(of, against), ...effectsBetween(against, of)];
  const missing = effects.filter(({ isShown }) => !isShown).map(({ text }) => text);
  return missing.length === 0 ? null : missing.join(', and ');
}

/**
 * Whether each preset that one side of a comparison has, and the other has not, was in effect: its evidence must be seen
 * in every browser with it, and in none without. A browser without it that shows it too has the feature anyway.
 */
export function effectsBetween(of: PresetSide, against: PresetSide): Effect[] {
  const known = new Set(presetsIn(against.settings).map(nameOf));
  const own = presetsIn(of.settings).filter((each) => !known.has(nameOf(each)));
  return own.map((each): Effect => {
    const name = nameOf(each);
    const look = (cache: ObservedCache) => each.preset.evidence.look(cache, each.setting);
    const not = `${name} is not shown to be in effect`;
    if (of.caches.length === 0 || against.caches.length === 0)
      return { isShown: false, text: `${not} (the run did not look for its evidence)` };
    const seen = of.caches.map(look);
    const missing = seen.find(({ isShown }) => !isShown);
    if (missing) return { isShown: false, text: `${not} (${missing.seen})` };
    const same = against.caches.map(look).find(({ isShown }) => isShown);
    if (same) return { isShown: false, text: `${not} (without it too, ${same.seen})` };
    return { isShown: true, text: `${name} was in effect (${seen[0]?.seen})` };
  });
}
