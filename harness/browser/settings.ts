import type { Settings } from '@cachescope/model/run/variant.ts';
import { diskCacheFlags } from './disk-cache-back-end.ts';

/** The browser's part of settings, as a launch takes it. */
export interface BrowserChoice {
  /** undefined: the run's own. */
  executablePath: string | undefined;
  extra: string[];
  environment: Record<string, string>;
}

/** What settings make of a launch's binary, flags and environment. */
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
