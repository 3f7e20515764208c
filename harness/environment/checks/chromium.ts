import { chromiumVersion } from '../chromium-version.ts';
import type { Check } from '../check.ts';

/** The first version that supports compression dictionaries without a flag. */
const leastMajor = 130;

/** The Chromium to measure. */
export const chromium: Check = {
  id: 'chromium',
  why: 'Results apply to one version of one browser; dictionaries need version 130 or newer.',
  async examine({ chromiumPath }) {
    const todo = 'Install Chromium, or name it with --browser PATH.';
    if (chromiumPath === null) return { status: 'refused', what: 'No Chromium was found', todo };
    const version = await chromiumVersion(chromiumPath);
    if (version === null)
      return { status: 'unknown', what: `${chromiumPath} does not report its version`, todo };
    const what = `Chromium ${version} (${chromiumPath})`;
    if (Number.parseInt(version, 10) >= leastMajor) return { status: 'ok', what };
    return { status: 'refused', what: `${what} does not support dictionaries`, todo };
  },
};
