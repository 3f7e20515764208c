import { type KnownPresets, knownPresets } from '../browser/known-features.ts';
import { messageOf } from '../error.ts';
import type { Finding } from './finding.ts';

const base = {
  id: 'features',
  why: 'Presets of --features need a browser that knows their features.',
};

/** Finds out which feature presets a browser supports. Never throws. */
export async function featuresFinding(chromiumPath: string): Promise<Finding> {
  try {
    return featuresAnswer(await knownPresets(chromiumPath));
  } catch (error) {
    const what = `The features of the browser are unknown: ${messageOf(error)}`;
    return { ...base, status: 'unknown', what, todo: null };
  }
}

/** The finding on the presets that a browser supports and lacks. */
export function featuresAnswer({ has, lacks }: KnownPresets): Finding {
  const list = (presets: KnownPresets['has']) => presets.map(({ name }) => name).join(', ');
  if (lacks.length === 0)
    return { ...base, status: 'ok', what: `Feature presets: ${list(has)}`, todo: null };
  const what = `Feature presets: ${list(has) || 'none'}; not in this browser: ${list(lacks)}`;
  return { ...base, status: 'note', what, todo: null };
}
