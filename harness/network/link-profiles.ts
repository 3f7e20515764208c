/** A published description of a network: how its link is typed, and where the figures come from. */
export interface LinkProfile {
  link: string;
  source: string;
}

const lighthouse = 'https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md';
const lighthouseConfig =
  'https://github.com/GoogleChrome/lighthouse/blob/main/core/config/constants.js';
const webPageTest =
  'https://github.com/catchpoint/WebPageTest/blob/master/www/settings/connectivity.ini.sample';

/** The profiles by name. Round trips are halved; a kbit/s of Lighthouse has 1,000 bits, and 1.6 of its Mbit/s 1,638.4 kbit/s. */
export const linkProfiles: Readonly<Record<string, LinkProfile>> = {
  'lighthouse-slow-4g': {
    link: '75ms,down.rate=1638.4kbit/s,up.rate=750kbit/s',
    source: `Lighthouse's default for mobile, "Slow 4G" (${lighthouse})`,
  },
  'lighthouse-desktop': {
    link: '20ms,10240kbit/s',
    source: `Lighthouse's desktop preset, "Dense 4G" (${lighthouseConfig})`,
  },
  cable: {
    link: '14ms,down.rate=5Mbit/s,up.rate=1Mbit/s',
    source: `WebPageTest, "Cable" (${webPageTest})`,
  },
  dsl: {
    link: '25ms,down.rate=1.5Mbit/s,up.rate=384kbit/s',
    source: `WebPageTest, "DSL" (${webPageTest})`,
  },
  fios: {
    link: '2ms,down.rate=20Mbit/s,up.rate=5Mbit/s',
    source: `WebPageTest, "FIOS" (${webPageTest})`,
  },
  '3g': {
    link: '150ms,down.rate=1.6Mbit/s,up.rate=768kbit/s',
    source: `WebPageTest, "Mobile 3G" (${webPageTest})`,
  },
  '4g': { link: '85ms,9Mbit/s', source: `WebPageTest, "4G" (${webPageTest})` },
  satellite: {
    link: '279ms',
    source:
      'A geostationary satellite: round trip 558 ms (RFC 2488 section 2); no rate is published there',
  },
};
