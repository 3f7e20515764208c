import type { Settings } from '@cachescope/model/run/variant.ts';
import { diskCacheFlags } from './disk-cache-back-end.ts';

/** The browser part of settings, in the form that a launch takes. */
export interface BrowserChoice {
  /** undefined: the browser of the run. */
  executablePath: string | undefined;
  extra: string[];
  environment: Record<string, string>;
}

/** The binary, flags and environment of a launch that follow from the settings. */
export function browserChoice(settings: Settings): BrowserChoice {
  const { flags = [], enabledFeatures = [], disabledFeatures = [], diskCache } = settings;
  const { diskCacheParameters } = settings;
  return {
    executablePath: settings.browser,
    extra: [
      ...(diskCache ? diskCacheFlags(diskCache, diskCacheParameters) : []),
      ...(settings.cacheBytes === undefined ? [] : [`--disk-cache-size=${settings.cacheBytes}`]),
      ...joined('--enable-features', enabledFeatures),
      ...joined('--disable-features', disabledFeatures),
      ...flags,
    ],
    environment: settings.environment ?? {},
  };
}

function joined(flag: string, features: readonly string[]): string[] {
  return features.length === 0 ? [] : [`${flag}=${features.join(',')}`];
}
