import { isRunOf } from '@cachescope/model/run/run.ts';
import { harOf } from '@cachescope/model/har/export.ts';
import { loadDocumentText } from '@cachescope/model/load/document.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import fc from 'fast-check';
import { propertyRuns } from '@cachescope/model/fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { arbitraryJson } from '@cachescope/model/fixtures/arbitrary-load.ts';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import {
  bytesCaption,
  deviceReadsCaption,
  gapCaption,
  readTimeCaption,
} from '../experiments/sweep/captions.ts';
import { openFiles, openRun } from './open-files.ts';

const whole = madeUpRun(2);
const load = madeUpLoad({ count: 12 });
const har = JSON.stringify(harOf([load], '0.1.0'));

function file(name: string, ...parts: BlobPart[]): File {
  return new File(parts, name);
}

/** A file that claims a size of `size` bytes and must not be read. */
function unread(name: string, size: number): File {
  const found = file(name);
  const refuse = () => Promise.reject(new Error('was read'));
  Object.defineProperty(found, 'size', { value: size });
  return Object.assign(found, { text: refuse, arrayBuffer: refuse });
}

async function problemsOf(...files: File[]): Promise<string[]> {
  const opened = await openFiles(files);
  return 'problems' in opened ? opened.problems : [];
}

test('a run document opens, with a byte order mark too', async () => {
  const text = JSON.stringify(whole);
  expect(await openFiles([file('run.json', text)])).toEqual({ value: { run: whole } });
  expect(await openFiles([file('run.json', '\uFEFF', text)])).toEqual({ value: { run: whole } });
});

test('run.json opens with its samples, in any order', async () => {
  const lines = whole.samples.map((sample) => JSON.stringify(sample)).join('\n');
  const files = [file('samples.ndjson', lines), file('run.json', JSON.stringify(whole.run))];
  expect(await openFiles(files)).toEqual({ value: { run: whole } });
});

test('where only a run is wanted, a run opens, and loads are refused with a reason', async () => {
  expect(await openRun([file('run.json', JSON.stringify(whole))])).toEqual({ value: whole });
  expect(await openRun([file('a.har', har)])).toEqual({
    problems: ['a.har is not a run document: it has no schemaVersion.'],
  });
  expect(await openRun([file('b.json', loadDocumentText([load]))])).toEqual({
    problems: ['b.json is not a run document: it names no experiment.'],
  });
});

test('HARs and load documents open together, with any file names', async () => {
  const other = madeUpLoad({ id: 'other', seed: 9 });
  const files = [file('a.txt', har), file('b.json', '\uFEFF', loadDocumentText([other]))];
  expect(await openFiles(files)).toEqual({ value: { loads: [load, other] } });
});

test('every file that is too large is reported, and none is read', async () => {
  const mib = 1024 ** 2;
  expect(
    await problemsOf(unread('run.json', 500 * mib), unread('page.har', 257 * mib), file('a', '{}')),
  ).toEqual([
    'run.json is 500 MiB; at most 256 MiB can be opened.',
    'page.har is 257 MiB; at most 256 MiB can be opened. DevTools exports a HAR without the bodies, which is much smaller: “Export HAR (sanitized)”.',
  ]);
});

test('a file that cannot be read is reported', async () => {
  const gone = file('gone.json', '{}');
  gone.text = () => Promise.reject(new Error('it went away'));
  expect(await problemsOf(gone)).toEqual(['The files could not be read: Error: it went away']);
});

test('a file that is not UTF-8 text is reported with its type', async () => {
  const gzip = await new Response(
    new Blob([har]).stream().pipeThrough(new CompressionStream('gzip')),
  ).arrayBuffer();
  expect(await problemsOf(file('page.har.gz', gzip))).toEqual([
    'page.har.gz is compressed with gzip: decompress it first, for example with gunzip.',
  ]);
  const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0]);
  expect(await problemsOf(file('a.har', utf16), file('b.zip', 'PK\u0003\u0004'))).toEqual([
    expect.stringContaining('a.har is text in UTF-16'),
    'b.zip is a zip archive: unpack it first.',
  ]);
});

test('a run among loads is refused, and the error names the file', async () => {
  const files = [file('page.har', har), file('run.json', JSON.stringify(whole))];
  expect(await problemsOf(...files)).toEqual([
    'run.json is neither a HAR nor a load document: open runs and loads separately.',
  ]);
});

test('the problems of all files are reported together', async () => {
  const problems = await problemsOf(
    file('a.har', '{"log":{"version":"9","entries":[]}}'),
    file('b.json', '{"schemaVersion":2,"loads":[]}'),
    file('c.har', '{"log":'),
  );
  expect(problems.map((problem) => problem.slice(0, 6))).toEqual(['a.har:', 'b.json', 'c.har ']);
});

test.each([
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe])],
  ['deep nesting', '['.repeat(200_000)],
  ['deep nesting that ends', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['deep nesting in a HAR', `{"log":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['markup', '<script>alert(1)</script>'],
  ['NUL', '{"log":\0}'],
  ['a prototype', '{"run":{"schemaVersion":1,"__proto__":{"plan":1}},"samples":[]}'],
  ['a prototype of a HAR', '{"__proto__":{"log":{"version":"1.2","entries":[]}}}'],
  ['an infinite number', JSON.stringify(whole).replace('"cores":2', '"cores":1e999')],
  ['a HAR with an infinite number', har.replaceAll('"time":', '"time":1e999,"x":')],
])('%s is refused with a reason', async (_, content) => {
  const problems = await problemsOf(file('odd.json', content));
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^odd\.json/);
});

test('any JSON is opened or refused, and nothing is thrown', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryJson, async (json) => {
      const opened = await openFiles([file('any.json', JSON.stringify(json) ?? '')]);
      if ('problems' in opened) {
        for (const problem of opened.problems) expect(problem).toMatch(/^any\.json/);
      }
    }),
    { numRuns: propertyRuns(200) },
  );
});

/** Replaces one leaf of the document with another value of the same type. */
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

test('every run that opens can be summarized and described in words', async () => {
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
    if (!('run' in result.value) || !isRunOf('sweep', result.value.run)) continue;
    opened++;
    const { run, samples } = result.value.run;
    const summary = summarize(run, samples);
    const captions = [readTimeCaption, gapCaption, deviceReadsCaption, bytesCaption];
    const words = [...summary.finding, ...captions.map((caption) => caption(summary))].join(' ');
    expect(words).not.toMatch(/NaN|undefined|null|∞/);
  }
  expect(opened).toBeGreaterThan(20);
});
