import { readQuantity } from '@cachescope/model/quantity-reading.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { createWorkload, largestWorkloadBytes, type Workload } from './workload.ts';

const sizeRule = {
  kind: 'size',
  from: '1B',
  to: `${largestWorkloadBytes / 2 ** 20}MiB`,
  bare: 'B',
} as const;
/** Units in the names of old saved runs, from before all options had the same units. */
const oldUnits: Readonly<Record<string, string>> = { b: 'B', kb: 'KiB', mb: 'MiB' };
/**
 * Of this many lines one differs between the two versions, including the first line, so that small texts differ too.
 */
const editEvery = 97;

/**
 * The size in `synthetic:SIZE`, bytes, or the problem with the size; null when the name does not have this form. SIZE is
 * written as in every option.
 */
export function readSyntheticName(name: string): { value: number } | { problem: string } | null {
  const [, size] = /^synthetic:(.*)$/.exec(name) ?? [];
  if (size === undefined) return null;
  return readQuantity(size, sizeRule);
}

/** The size in the name of a saved run, bytes; in old runs kb is 1024 bytes. null: no such name, or an invalid size. */
export function parseSyntheticName(name: string): number | null {
  const [, old, unit = ''] = /^(synthetic:\d+)(b|kb|mb)$/.exec(name) ?? [];
  const now = old === undefined ? name : `${old}${oldUnits[unit]}`;
  const read = readSyntheticName(now);
  return read !== null && 'value' in read ? read.value : null;
}

/** Words with the rank-frequency distribution of natural text, so that it compresses about as well as source code. */
function line(random: () => number): string {
  const words = Array.from(
    { length: 8 },
    () => `w${Math.floor(1 / (random() + 0.0005)).toString(36)}`,
  );
  return `const ${words[0]} = (${words.slice(1, 4).join(', ')}) => ${words.slice(4).join(' + ')};\n`;
}

/** Two texts of exactly `bytes` bytes; the second has some different lines. */
function versions(bytes: number): [older: Buffer, newer: Buffer] {
  const common = createRandom(1);
  const edits = createRandom(2);
  const older: string[] = [];
  const newer: string[] = [];
  let shorter = 0;
  for (let number = 0; shorter < bytes; number++) {
    const kept = line(common);
    const edited = number % editEvery === 0 ? line(edits) : kept;
    older.push(kept);
    newer.push(edited);
    shorter += Math.min(kept.length, edited.length);
  }
  const cut = (lines: string[]) => Buffer.from(lines.join('').slice(0, bytes), 'latin1');
  return [cut(older), cut(newer)];
}

/** Two versions of made-up source code, identical on every machine. */
export function syntheticWorkload(name: string, bytes: number): Workload {
  const title = `synthetic text, ${bytes.toLocaleString('en-US')} bytes, one line in ${editEvery} edited`;
  return createWorkload({ name, title, contentType: 'text/javascript' }, ...versions(bytes));
}
