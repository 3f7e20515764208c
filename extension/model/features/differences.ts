import type { Settings, Variant } from '../run/variant.ts';
import { featurePresets } from './presets.ts';

/** What two settings differ in: a name for each thing that alone can change a result. */
type Things = ReadonlyMap<string, string>;

/** Chromium's defaults on Linux, and this program's: naming one changes nothing. */
const defaults = { diskCache: 'simple', fileSystem: 'ext4' } as const;

/** `--foo=1` is `--foo` with the value 1. */
function split(text: string, separator: string): [name: string, value: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function featuresOf({ enabledFeatures = [], disabledFeatures = [] }: Settings): Things {
  return new Map([
    ...enabledFeatures.map((feature) => {
      const [name, parameters] = split(feature, ':');
      return [name, `on${parameters}`] as const;
    }),
    ...disabledFeatures.map((name) => [name, 'off'] as const),
  ]);
}

function thingsOf(settings: Settings): Things {
  const { browser, flags = [], environment = {}, diskCacheParameters = {} } = settings;
  const { diskCache = defaults.diskCache, fileSystem = defaults.fileSystem } = settings;
  const { cacheBytes, readAheadKiB } = settings;
  const entries: [string, string | number | undefined][] = [
    ['browser', browser],
    ['disk cache', diskCache],
    ['cache size', cacheBytes],
    ['file system', fileSystem],
    ['read-ahead', readAheadKiB],
    ...flags.map((flag) => split(flag, '=')),
    ...Object.entries(environment),
    ...Object.entries(diskCacheParameters),
  ];
  return new Map(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  );
}

function apart(one: Things, other: Things): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}

/** Features that one preset switches together are one thing. */
function grouped(features: readonly string[]): string[] {
  const whole = featurePresets
    .map((preset) => (preset.features ?? []).map((feature) => split(feature, ':')[0]))
    .filter((own) => own.length > 1 && own.every((name) => features.includes(name)));
  const single = features.filter((name) => !whole.some((own) => own.includes(name)));
  return [...whole.map((own) => own.join(' with ')), ...single];
}

/** The things that two settings differ in, by name: `disk cache`, `SqlDiskCacheWalMode`; empty: none. */
export function settingDifferences(one: Settings, other: Settings): string[] {
  return [
    ...apart(thingsOf(one), thingsOf(other)),
    ...grouped(apart(featuresOf(one), featuresOf(other))),
  ];
}

/** The variants of a plan, and the settings that all of them share. */
export interface VariedSettings {
  variants?: readonly Variant[] | undefined;
  settings?: Settings | undefined;
}

/**
 * The variant that another one is compared with: the first earlier one that differs from it in one thing at most, and the
 * first of all where there is none. undefined for the first.
 */
export function baselineOf(
  { variants = [], settings = {} }: VariedSettings,
  name: string,
): Variant | undefined {
  const place = variants.findIndex((variant) => variant.name === name);
  const own = variants[place];
  if (!own) return undefined;
  const earlier = variants.slice(0, place);
  const alike = earlier.find(
    (each) => settingDifferences({ ...settings, ...each }, { ...settings, ...own }).length <= 1,
  );
  return alike ?? earlier[0];
}

/** What a variant differs in from another of its plan; `name` of the plan's variants. */
export function variantDifferences(
  { variants = [], settings = {} }: VariedSettings,
  one: string | undefined,
  other: string | undefined,
): string[] {
  const [first, second] = [one, other].map((name) => variants.find((each) => each.name === name));
  return settingDifferences({ ...settings, ...first }, { ...settings, ...second });
}

/** Why a pair of variants has no verdict, as a clause; null: it differs in one named thing at most. */
export function differsInSeveral(differences: readonly string[]): string | null {
  if (differences.length < 2) return null;
  return `the two differ in ${differences.length} things (${differences.join(', ')}), and the difference may be of any of them`;
}
