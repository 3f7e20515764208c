import { readQuantity } from '@cachescope/model/quantity-reading.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { createWorkload, largestWorkloadBytes, type Workload } from './workload.ts';

const sizeRule = {
  kind: 'size',
  from: '1B',
  to: `${largestWorkloadBytes / 2 ** 20}MiB`,
  bare: 'B',
} as const;
/** In names of runs that were saved before units were those of every option. */
const oldUnits: Readonly<Record<string, string>> = { b: 'B', kb: 'KiB', mb: 'MiB' };
/** One line in so many differs between the two versions, the first among them, so that small texts differ too. */
const editEvery = 97;

/**
 * Bytes that `synthetic:SIZE` asks for, or what is wrong with the size; null when the name is not of this form. SIZE is as in
 * every option, or as it was in old runs, where kb was 1024 bytes.
 */
export function readSyntheticName(name: string): { value: number } | { problem: string } | null {
  const [, size] = /^synthetic:(.*)$/.exec(name) ?? [];
  if (size === undefined) return null;
  return readQuantity(size, sizeRule);
}

/** Bytes that a name of a saved run asks for; null when it is none. */
export function parseSyntheticName(name: string): number | null {
  const [, old, unit = ''] = /^(synthetic:\d+)(b|kb|mb)$/.exec(name) ?? [];
  const now = old === undefined ? name : `${old}${oldUnits[unit]}`;
  const read = readSyntheticName(now);
  return read !== null && 'value' in read ? read.value : null;
}

/** Words with the rank-frequency law of natural text, so that codings shrink it about as they shrink source code. */
function line(random: () => number): string {
  const words = Array.from(
    { length: 8 },
    () => `w${Math.floor(1 / (random() + 0.0005)).toString(36)}`,
  );
  return `const ${words[0]} = (${words.slice(1, 4).join(', ')}) => ${words.slice(4).join(' + ')};\n`;
}

/** Two texts of exactly so many bytes; the second has other lines here and there. */
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

/** Two versions of made-up source code, the same bytes on every machine. */
export function syntheticWorkload(name: string, bytes: number): Workload {
  const title = `synthetic text, ${bytes.toLocaleString('en-US')} bytes, one line in ${editEvery} edited`;
  return createWorkload({ name, title, contentType: 'text/javascript' }, ...versions(bytes));
}
