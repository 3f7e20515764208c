import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { SideEvidence } from '@cachescope/model/judge/evidence.ts';
import type { Settings } from '@cachescope/model/run/variant.ts';
import { histogramCounts } from '../browser/cache-histograms.ts';
import { cacheEntries, sqlDatabases } from '../browser/disk-cache.ts';
import { diskCacheBackEndOf } from '../browser/disk-cache-back-end.ts';
import { namesIn, programOf } from '../browser/known-features.ts';
import { readIn } from './read-in-page.ts';
import type { SidePlayer } from './side.ts';

const path = '/r/evidence';

/** Lets a side's browser store one response, and looks at what shows that its settings are in effect. */
export async function evidenceOf(
  player: SidePlayer,
  histograms: readonly string[],
): Promise<Omit<SideEvidence, 'variant'>> {
  const { origin, settings, executablePath } = player.options;
  const opened = await player.browserFor({ name: 'evidence', isAlone: true });
  try {
    origin.answers.set(path, {});
    const request = { by: 'fetch', init: {}, abortAfterBytes: null, shows: [] } as const;
    await readIn(opened.main, { ...request, url: path });
    const counts = histograms.length === 0 ? {} : await countsOf(opened.browser, histograms);
    const version = await opened.browser.version();
    await opened.stop();
    const { cacheDirectory } = opened;
    const entries = await cacheEntries(cacheDirectory);
    const program = settings.browser ?? executablePath;
    return {
      version: version.replace('HeadlessChrome', 'Chrome'),
      programSha256: await fileSha256(program),
      backEnd: await diskCacheBackEndOf(cacheDirectory),
      unknownNames: await unknownNames(program, settings),
      databases: await sqlDatabases(cacheDirectory),
      histograms: counts,
      decodedBytes: origin.body({}, 1).length,
      storedBytes: entries.get(origin.url + path)?.storedBytes ?? null,
    };
  } finally {
    origin.answers.delete(path);
    await player.close();
  }
}

const countsOf = (...given: Parameters<typeof histogramCounts>) =>
  histogramCounts(...given).catch(() => null);

async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Chromium ignores switches and features that it does not know, and says nothing: only its strings show that it knows one. */
async function unknownNames(program: string, { flags = [] }: Settings): Promise<string[]> {
  const names = [...new Set(flags.flatMap(namesOfFlag))];
  if (names.length === 0) return [];
  const known = await namesIn(await programOf(program), names);
  return names.filter((name) => !known.has(name));
}

/** `--enable-features=A:p/1,B` names the features A and B, and the switch itself. */
function namesOfFlag(flag: string): string[] {
  const [, name = '', value = ''] = /^--([\w-]+)(?:=(.*))?$/.exec(flag) ?? [];
  const features = /^(enable|disable)-features$/.test(name) ? value.split(',') : [];
  return [name, ...features.map((feature) => /^[\w-]*/.exec(feature)?.[0] ?? '')].filter(Boolean);
}
