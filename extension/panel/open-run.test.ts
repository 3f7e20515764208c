import { createRandom } from '@cachescope/model/random.ts';
import { summarize } from '@cachescope/model/sweep-summary.ts';
import { expect, test } from 'vitest';
import { madeUpRun } from '../../test/made-up-run.ts';
import { bytesCaption, deviceReadsCaption, gapCaption, readTimeCaption } from './captions.ts';
import { openFiles } from './open-run.ts';

const whole = madeUpRun(2);

function file(name: string, ...parts: BlobPart[]): File {
  return new File(parts, name);
}

/** A file that says it has `size` bytes and must not be read. */
function unread(name: string, size: number): File {
  const found = file(name);
  Object.defineProperty(found, 'size', { value: size });
  found.text = () => Promise.reject(new Error('was read'));
  return found;
}

async function problemsOf(...files: File[]): Promise<string[]> {
  const opened = await openFiles(files);
  return 'problems' in opened ? opened.problems : [];
}

test('a run document opens, with a byte order mark too', async () => {
  const text = JSON.stringify(whole);
  expect(await openFiles([file('run.json', text)])).toEqual({ value: whole });
  expect(await openFiles([file('run.json', '\uFEFF', text)])).toEqual({ value: whole });
});

test('every file that is too large is told, and none is read', async () => {
  const mib = 1024 ** 2;
  const [large, larger] = [unread('run.json', 500 * mib), unread('samples.ndjson', 257 * mib)];
  expect(await problemsOf(large, larger)).toEqual([
    'run.json is 500 MiB; at most 256 MiB can be opened here.',
    'samples.ndjson is 257 MiB; at most 256 MiB can be opened here.',
  ]);
});

test('a file that cannot be read is told', async () => {
  expect(await problemsOf(unread('gone.json', 10))).toEqual([
    'The files could not be read: Error: was read',
  ]);
});

test.each([
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe])],
  ['deep nesting', '['.repeat(1_000_000)],
  ['markup', '<script>alert(1)</script>'],
  ['a prototype', '{"run":{"schemaVersion":1,"__proto__":{"plan":1}},"samples":[]}'],
  ['a number beyond all', JSON.stringify(whole).replace('"cores":2', '"cores":1e999')],
])('%s is refused with a reason', async (_, content) => {
  const problems = await problemsOf(file('odd.json', content));
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^odd\.json/);
});

/** Gives one leaf of the document, anywhere, another value of its own type. */
function mutate(node: object, random: () => number): void {
  const entries = Object.entries(node);
  const [key, value] = entries[Math.floor(random() * entries.length)] ?? [];
  if (key === undefined) return;
  if (typeof value === 'object' && value !== null) return mutate(value, random);
  const choice = Math.floor(random() * 3);
  if (typeof value === 'number') Object.assign(node, { [key]: [0, -1, 1e9][choice] });
  if (typeof value === 'string') Object.assign(node, { [key]: ['', '<b>', 'dcz'][choice] });
  if (typeof value === 'boolean') Object.assign(node, { [key]: !value });
}

test('whatever opens can be summed up and told in words', async () => {
  const random = createRandom(11);
  let opened = 0;
  for (let round = 0; round < 80; round++) {
    const document = structuredClone(whole);
    mutate(document.run, random);
    mutate(document, random);
    const result = await openFiles([file('odd.json', JSON.stringify(document))]);
    if ('problems' in result) {
      expect(result.problems.length).toBeGreaterThan(0);
      continue;
    }
    opened++;
    const summary = summarize(result.value.run, result.value.samples);
    const captions = [readTimeCaption, gapCaption, deviceReadsCaption, bytesCaption];
    const words = [...summary.finding, ...captions.map((caption) => caption(summary))].join(' ');
    expect(words).not.toMatch(/NaN|undefined|null|∞/);
  }
  expect(opened).toBeGreaterThan(20);
});
