import type { Settings, Variant } from '@cachescope/model/run/variant.ts';
import {
  type FeaturePreset,
  featurePresets,
  unshowable,
} from '@cachescope/model/features/presets.ts';
import { commaSeparated } from './name-reading.ts';
import { type Problems, readInteger } from './option-reading.ts';

/** A preset as typed: `sql-shards:1,8` has two values, `recompress` none. */
interface Named {
  preset: FeaturePreset;
  values: string[];
}

const mostShards = 255;

function whyNot(name: string): string {
  const reason = Object.hasOwn(unshowable, name) ? unshowable[name] : undefined;
  const known = `known are ${featureNames}`;
  return reason === undefined ? known : `no run can show it in effect: ${reason}; ${known}`;
}

/** A word without a colon after a preset with values is another value of that preset, unless it is a preset itself. */
function named(text: string, flag: string, problems: Problems): Named[] {
  const all: Named[] = [];
  for (const word of commaSeparated(text)) {
    const [name = '', value, ...more] = word.split(':');
    const preset = featurePresets.find((each) => each.name === name);
    const before = all.at(-1);
    if (preset && more.length === 0)
      all.push({ preset, values: value === undefined ? [] : [value] });
    else if (before && before.values.length > 0 && value === undefined) before.values.push(word);
    else problems.push(`${flag} names ${JSON.stringify(word)}; ${whyNot(name)}`);
  }
  return all;
}

/** A switch is typed for the state that the browser does not have as it is. */
function requireSwitch({ name, isOnByDefault }: FeaturePreset, value: string, problems: Problems) {
  const [typed, other] = isOnByDefault ? ['off', 'on'] : ['on', 'off'];
  if (value === typed) return;
  problems.push(
    value === other
      ? `${name}:${other} is the browser as it is; the preset is ${typed}`
      : `${name} is ${JSON.stringify(value)}; it must be ${typed}`,
  );
}

function settingsOf(preset: FeaturePreset, value: string, flag: string, problems: Problems) {
  const { name, features = [], diskCache, parameter, isOnByDefault } = preset;
  const what = `${flag} ${name}`;
  if (!parameter) {
    requireSwitch(preset, value, problems);
    return { [isOnByDefault ? 'disabledFeatures' : 'enabledFeatures']: [...features] };
  }
  if (parameter.is === 'switch') requireSwitch(preset, value, problems);
  const read = parameter.is === 'switch' ? true : readInteger(what, value, 1, mostShards, problems);
  return {
    ...(diskCache && { diskCache }),
    diskCacheParameters: { [parameter.name]: `${read}` },
  };
}

function variantsOf({ preset, values }: Named, flag: string, problems: Problems): Variant[] {
  const { name, parameter, isOnByDefault } = preset;
  if (parameter?.is === 'number') {
    if (values.length === 0) problems.push(`${flag} ${name} needs a number, such as ${name}:1,8`);
    return values.map((value) => ({
      name: `${name}=${value}`,
      ...settingsOf(preset, value, flag, problems),
    }));
  }
  const [state, variant] = isOnByDefault ? ['off', `${name}=off`] : ['on', name];
  return (values.length === 0 ? [state] : values).map((value) => ({
    name: variant,
    ...settingsOf(preset, value, flag, problems),
  }));
}

/** Parses presets as variants, one for each preset and value. */
function readPresets(text: string, flag: string, problems: Problems): Variant[] {
  const found: Problems = [];
  const variants = named(text, flag, found).flatMap((each) => variantsOf(each, flag, found));
  problems.push(...found);
  const names = variants.map(({ name }) => name);
  if (new Set(names).size < names.length) problems.push(`${flag} ${text} names a preset twice`);
  return variants;
}

/**
 * Parses presets as variants: `stock`, the unchanged browser; the back end that a preset needs, without the preset, where
 * `settings` of the run do not name it; and one variant for each preset and value. So each preset is compared with a
 * browser that differs in this preset only.
 */
export function readFeatureVariants(
  text: string,
  flag: string,
  problems: Problems,
  settings: Settings = {},
): Variant[] {
  const variants = readPresets(text, flag, problems);
  const backEnds = [...new Set(variants.map(({ diskCache }) => diskCache))];
  const baselines = backEnds.flatMap((diskCache): Variant[] =>
    diskCache === undefined || diskCache === settings.diskCache
      ? []
      : [{ name: `disk-cache=${diskCache}`, diskCache }],
  );
  return [{ name: 'stock' }, ...baselines, ...variants];
}

/** Parses presets that apply together to a whole run. */
export function readFeatureSettings(text: string, flag: string, problems: Problems): Settings {
  const all = readPresets(text, flag, problems);
  const presets = all.map(({ name }) => name.split('=')[0]);
  if (new Set(presets).size < presets.length)
    problems.push(`${flag} ${text}: a run of this experiment has one browser, so one value each`);
  const settings: Settings = {};
  for (const { name: _, enabledFeatures, disabledFeatures, ...one } of all) {
    const parameters = { ...settings.diskCacheParameters, ...one.diskCacheParameters };
    Object.assign(settings, one);
    if (Object.keys(parameters).length > 0) settings.diskCacheParameters = parameters;
    if (enabledFeatures)
      settings.enabledFeatures = [...(settings.enabledFeatures ?? []), ...enabledFeatures];
    if (disabledFeatures)
      settings.disabledFeatures = [...(settings.disabledFeatures ?? []), ...disabledFeatures];
  }
  return settings;
}

/** The names of the presets, for the help. */
export const featureNames = featurePresets.map(({ name }) => name).join(', ');

/** For experiments whose run has one browser. */
export const featuresOption = {
  value: '<list>',
  description: `feature presets of the browser: ${featureNames}`,
  read: readFeatureSettings,
};
