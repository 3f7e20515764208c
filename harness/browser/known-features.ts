import { execFile } from 'node:child_process';
import { open, readlink, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Settings } from '@cachescope/model/run/variant.ts';
import { CachescopeError } from '../error.ts';
import { inBriefBrowser } from './brief-browser.ts';
import { networkServicePid } from './network-service.ts';
import {
  type FeaturePreset,
  featurePresets,
  namesNeeded,
} from '@cachescope/model/features/presets.ts';
import { startIn } from './start.ts';

const elf = Buffer.from('\u007fELF');

/** The presets that a browser supports, and those that it lacks. */
export interface KnownPresets {
  has: readonly FeaturePreset[];
  lacks: readonly FeaturePreset[];
}

/**
 * Searches the browser's program for the names of the presets' features. An enabled feature that Chromium does not know
 * has no effect and is not reported, so the names are the only evidence. Launches the browser when it is a script.
 */
export async function knownPresets(chromiumPath: string): Promise<KnownPresets> {
  const names = await namesIn(await programOf(chromiumPath), featurePresets.flatMap(namesNeeded));
  const isKnown = (preset: FeaturePreset) => namesNeeded(preset).every((name) => names.has(name));
  return {
    has: featurePresets.filter(isKnown),
    lacks: featurePresets.filter((preset) => !isKnown(preset)),
  };
}

/**
 * Refuses settings with a feature of a preset that the browser lacks. Other features are not checked.
 *
 * @throws CachescopeError CS_BROWSER_FEATURES, exit code 3.
 */
export async function requireFeatures(
  chromiumPath: string,
  all: readonly Settings[],
): Promise<void> {
  const wanted = new Set(all.flatMap(namesOf));
  const presets = featurePresets.filter((preset) =>
    namesNeeded(preset).some((name) => wanted.has(name)),
  );
  if (presets.length === 0) return;
  const { lacks } = await knownPresets(chromiumPath);
  const missing = presets.filter((preset) => lacks.includes(preset));
  if (missing.length === 0) return;
  const named = missing.map((preset) => `${preset.name} (${namesNeeded(preset).join(', ')})`);
  throw new CachescopeError(
    'CS_BROWSER_FEATURES',
    `${chromiumPath} does not know the features of ${named.join(', ')}`,
    { hint: 'Name another browser with --browser PATH, or omit the preset.' },
  );
}

function namesOf({ enabledFeatures = [], disabledFeatures = [], ...rest }: Settings): string[] {
  const features = [...enabledFeatures, ...disabledFeatures];
  return [...features, ...Object.keys(rest.diskCacheParameters ?? {})];
}

/**
 * The names that a program contains as whole strings. Chromium derives most names from the feature's constant, whose
 * string starts with a `k` (base/feature_list.h, BASE_FEATURE).
 */
export async function namesIn(
  program: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const pattern = `k?(${names.join('|')})`;
  // Strings in a program end with a 0 byte: grep treats each as a line (-z), which must match as a whole (-x).
  const { stdout } = await promisify(execFile)('grep', ['-zaxE', pattern, program], {
    env: { ...process.env, LC_ALL: 'C' },
  }).catch((error: { code?: unknown; stdout?: string }) => {
    // grep exits with 1 when nothing matches.
    if (error.code === 1) return { stdout: '' };
    throw error;
  });
  const found = new Set(stdout.split('\0'));
  return new Set(names.filter((name) => found.has(name) || found.has(`k${name}`)));
}

/** The program that a path starts: itself, or the one that the distribution's wrapper script at that path starts. */
export async function programOf(path: string): Promise<string> {
  if (await isProgram(path)) return path;
  return inBriefBrowser(
    'program',
    (directory) => startIn(directory, path),
    (browser) => largestProgram(browser.process()?.pid ?? 0),
  );
}

async function isProgram(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(elf.length), 0, elf.length, 0);
  return buffer.equals(elf);
}

/** A script that waits for the browser runs in a shell, which is smaller than any browser. */
async function largestProgram(pid: number): Promise<string> {
  const pids = [pid, networkServicePid(pid)].filter((each) => each !== null);
  const programs: { path: string; size: number }[] = [];
  for (const each of pids) {
    const path = await readlink(`/proc/${each}/exe`).catch(() => null);
    if (path !== null) programs.push({ path, size: (await stat(path)).size });
  }
  const [largest] = programs.toSorted((one, other) => other.size - one.size);
  if (!largest) throw new Error('the kernel does not say which program the browser runs');
  return largest.path;
}
