import { createRandom } from '@cachescope/model/random.ts';
import { createWorkload, type Workload } from './workload.ts';

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };
const largestBytes = 256 * 1024 * 1024;
/** One line in so many differs between the two versions. */
const editEvery = 97;

/** Bytes that `synthetic:SIZE` asks for (b, kb, mb; 1 kb is 1024 bytes), or null when the name is none. */
export function parseSyntheticName(name: string): number | null {
  const [, digits = '', unit = 'b'] = /^synthetic:(\d{1,9})(b|kb|mb)?$/.exec(name) ?? [];
  const bytes = Number(digits) * (units[unit] ?? 1);
  return bytes >= 1 && bytes <= largestBytes ? bytes : null;
}

/** Words with the rank-frequency law of natural text, so that codings shrink it about as they shrink source code. */
function line(random: () => number): string {
  const words = Array.from(
    { length: 8 },
    () => `w${Math.floor(1 / (random() + 0.0005)).toString(36)}`,
  );
  return `const ${words[0]} = (${words.slice(1, 4).join(', ')}) => ${words.slice(4).join(' + ')};\n`;
}

/** Text of exactly so many bytes; with `edition` 2, some of its lines are others. */
function text(bytes: number, edition: 1 | 2): Buffer {
  const common = createRandom(1);
  const edits = createRandom(2);
  const lines: string[] = [];
  for (let length = 0, number = 0; length < bytes; number++) {
    const kept = line(common);
    const written = edition === 2 && number % editEvery === editEvery - 1 ? line(edits) : kept;
    lines.push(written);
    length += written.length;
  }
  return Buffer.from(lines.join('').slice(0, bytes), 'latin1');
}

/** Two versions of made-up source code, the same bytes on every machine. */
export function syntheticWorkload(name: string, bytes: number): Workload {
  const title = `synthetic text, ${bytes.toLocaleString('en-US')} bytes, one line in ${editEvery} edited`;
  return createWorkload(
    { name, title, contentType: 'text/javascript' },
    text(bytes, 1),
    text(bytes, 2),
  );
}
