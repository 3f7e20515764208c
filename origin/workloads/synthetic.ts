import { createRandom } from '@cachescope/model/random.ts';
import { createWorkload, largestWorkloadBytes, type Workload } from './workload.ts';

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };
/** One line in so many differs between the two versions, the first among them, so that small texts differ too. */
const editEvery = 97;

/** Bytes that `synthetic:SIZE` asks for (b, kb, mb; 1 kb is 1024 bytes), or null when the name is none or its size too large. */
export function parseSyntheticName(name: string): number | null {
  const [, digits = '', unit = 'b'] = /^synthetic:(\d{1,9})(b|kb|mb)?$/.exec(name) ?? [];
  const bytes = Number(digits) * (units[unit] ?? 1);
  return bytes >= 1 && bytes <= largestWorkloadBytes ? bytes : null;
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
