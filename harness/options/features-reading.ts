import type { Settings, Variant } from '@cachescope/model/run/variant.ts';
import { type FeaturePreset, featurePresets } from '../browser/feature-presets.ts';
import { commaSeparated } from './name-reading.ts';
import { type Problems, readInteger } from './option-reading.ts';

/** A preset as typed: `sql-shards:1,3,8` has three values, `recompress` none. */
interface Named {
  preset: FeaturePreset;
  values: string[];
}

const mostShards = 255;

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
    else {
      const known = featurePresets.map((each) => each.name).join(', ');
      problems.push(`${flag} names ${JSON.stringify(word)}; known are ${known}`);
    }
  }
  return all;
}

function switched(name: string, value: string, problems: Problems): boolean {
  if (value !== 'on' && value !== 'off')
    problems.push(`${name} is ${JSON.stringify(value)}; it must be on or off`);
  return value !== 'off';
}

function settingsOf(preset: FeaturePreset, value: string, flag: string, problems: Problems) {
  const { name, features = [], diskCache, parameter } = preset;
  const what = `${flag} ${name}`;
  const read =
    parameter?.is === 'number'
      ? readInteger(what, value, 1, mostShards, problems)
      : switched(what, value, problems);
  const settings: Settings = { ...(diskCache && { diskCache }) };
  if (parameter) return { ...settings, diskCacheParameters: { [parameter.name]: `${read}` } };
  return { ...settings, [read ? 'enabledFeatures' : 'disabledFeatures']: [...features] };
}

function variantsOf({ preset, values }: Named, flag: string, problems: Problems): Variant[] {
  const { name, parameter } = preset;
  if (values.length === 0 && parameter?.is !== 'number')
    return [{ name, ...settingsOf(preset, 'on', flag, problems) }];
  if (values.length === 0) problems.push(`${flag} ${name} needs a number, such as ${name}:1,3,8`);
  return values.map((value) => ({
    name: `${name}=${value}`,
    ...settingsOf(preset, value, flag, problems),
  }));
}

/** Parses presets as variants: `stock`, the unchanged browser, and one for each preset and value. */
export function readFeatureVariants(text: string, flag: string, problems: Problems): Variant[] {
  const found: Problems = [];
  const variants = named(text, flag, found).flatMap((each) => variantsOf(each, flag, found));
  problems.push(...found);
  const names = variants.map(({ name }) => name);
  if (new Set(names).size < names.length) problems.push(`${flag} ${text} names a preset twice`);
  return [{ name: 'stock' }, ...variants];
}

/** Parses presets that apply together to a whole run. */
export function readFeatureSettings(text: string, flag: string, problems: Problems): Settings {
  const [, ...all] = readFeatureVariants(text, flag, problems);
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
