import { existsSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareSides } from '@cachescope/model/compare/build.ts';
import { sideOf } from '@cachescope/model/compare/side.ts';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { annotatedArchive } from '@cachescope/model/har/annotation.ts';
import { harOf } from '@cachescope/model/har/export.ts';
import { readHar } from '@cachescope/model/har/import.ts';
import { oneSizeEach, replayed } from '@cachescope/model/reclaim/recorded-request.ts';
import { parsedJson } from '@cachescope/model/parsed.ts';
import { experiments, type RunDocument } from '@cachescope/model/run/run.ts';
import { readCompareSources } from '../../harness/commands/compare/comparison.ts';
import { shownComparison } from '../../harness/commands/compare/outputs.ts';
import { usageError } from '../../harness/error.ts';
import { readSource } from '../../harness/experiments/pageload/source.ts';
import { readRecording } from '../../harness/experiments/reclaim/recording.ts';
import { readFactorFlags } from '../../harness/options/factor-reading.ts';
import { readProfile } from '../../harness/options/profile-reading.ts';
import { readRunDirectory } from '../../harness/results/run-directory.ts';
import { writeResults } from '../../harness/results/write-results.ts';
import { doubtOf } from '../../harness/storage/journal/confirmation.ts';
import { journalsHere } from '../../harness/storage/journal/journals.ts';
import { writeLatencies } from '../../harness/storage/latency-profile.ts';
import type { Mutation } from './input-mutation.ts';
import { madeUpRuns, runBase } from './made-up-runs.ts';

/** A file format that the product reads. */
export interface InputFormat {
  /**
   * Makes one input and lets the product read it. Throws the product's error. `derives`: also derives every output from
   * the input; with bootstrap intervals that takes a hundred times as long.
   */
  take(make: Mutation, derives: boolean): Promise<void>;
}

const directory = mkdtempSync(join(tmpdir(), 'made-inputs-'));
process.on('exit', () => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, 'reports'));
for (const name of Object.keys(experiments)) {
  const template = '<script type="application/json" id="run-document"></script>';
  writeFileSync(join(directory, 'reports', `${name}.html`), template);
}
const tools = { extensionDirectory: directory, chromiumPath: null };
const files = { path: directory, write: (name: string) => Promise.resolve(name) };

const linesOf = (items: readonly object[]): string =>
  items.map((item) => `${JSON.stringify(item)}\n`).join('');

/** The files of a run, as in its directory. */
function filesOf(document: RunDocument) {
  const { run, ...rest } = document;
  const { lineFile, besideFile } = experiments[run.experiment];
  const [items = [], beside] = Object.values(rest) as object[][];
  return {
    run: { name: 'run.json', text: JSON.stringify(run) },
    lines: { name: lineFile, text: linesOf(items) },
    ...(besideFile && beside && { beside: { name: besideFile, text: linesOf(beside) } }),
  };
}

const saved = madeUpRuns().map((document) => ({
  experiment: document.run.experiment,
  ...filesOf(document),
}));
type Saved = (typeof saved)[number];

/** Writes a run with one mutated file and reads it; derives every output and compares the run with itself. */
async function takeRun(
  found: Saved,
  part: 'run' | 'lines' | 'beside',
  changed: string,
  derives: boolean,
) {
  const path = runDirectoryOf(found);
  writeFileSync(join(path, found[part]?.name ?? ''), changed);
  const document = await readRunDirectory(path).finally(() =>
    writeFileSync(join(path, found[part]?.name ?? ''), found[part]?.text ?? ''),
  );
  if (!derives) return;
  await writeResults(files, document, tools);
  sideOf('made up', { run: document }, {}, undefined);
}

/** The directory of a saved run, with its original files. */
function runDirectoryOf(found: Saved): string {
  const path = join(directory, `run-${saved.indexOf(found)}`);
  if (existsSync(path)) return path;
  mkdirSync(path);
  for (const file of [found.run, found.lines, found.beside])
    if (file) writeFileSync(join(path, file.name), file.text);
  return path;
}

function takeLines(experiment: string, part: 'lines' | 'beside' = 'lines'): InputFormat {
  const seeds = saved.filter((each) => each.experiment === experiment && each[part]);
  let number = 0;
  return {
    async take(make, derives) {
      const found = seeds[number++ % seeds.length] as Saved;
      await takeRun(found, part, make.lines(found[part]?.text ?? ''), derives);
    },
  };
}

const har = JSON.stringify(harOf([madeUpLoad({ count: 12 })], '0.1.0'));
const log = Array.from(
  { length: 40 },
  (_, index) =>
    `10.0.0.${index} - - [10/Oct/2000:13:55:${10 + index} -0700] "GET /p${index % 7}?q=a HTTP/1.1" 200 ${2326 + (index % 7)} "http://r/" "A \\"x\\""`,
).join('\n');
const csv = [
  'Delay_ms,Throughput,DCB_Read_ms,Brotli_Read_ms,Gap_ms',
  ...[0, 1, 5, 10].map((ms) => `${ms},668 MB/s,${4 + ms * 11},${6 + ms * 3},${ms * 8}`),
].join('\n');
/** Each differs from one before it in one thing. */
const variants = JSON.stringify([
  { name: 'stock' },
  { name: 'patched', browser: '/usr/bin/chromium' },
  { name: 'flag', browser: '/usr/bin/chromium', flags: ['--x=1'] },
  { name: 'env', browser: '/usr/bin/chromium', flags: ['--x=1'], environment: { A: '1' } },
  { name: 'sql', diskCache: 'sql' },
  { name: 'small', diskCache: 'sql', cacheBytes: 2e7 },
  { name: 'xfs', diskCache: 'sql', cacheBytes: 2e7, fileSystem: 'xfs' },
  { name: 'ahead', diskCache: 'sql', cacheBytes: 2e7, fileSystem: 'xfs', readAheadKiB: 128 },
]);
const profile = JSON.stringify({
  name: 'made up',
  source: 'no disk',
  read: { kind: 'recorded', quantilesMs: [0.1, 0.2, 0.4, 8] },
  stalls: { read: { kind: 'lognormal', medianMs: 5, sigma: 0.5 }, begin: 0.01, end: 0.1 },
  bandwidthBytesPerSecond: 2e8,
});
const head = { owner: { pid: 999_999, startTime: 1 }, startedAt: '2026-11-20', standing: null };
const journal = linesOf([
  { head },
  { number: 0, make: { kind: 'directory', path: '/tmp/cachescope-disk-00000000' } },
  { number: 1, make: { kind: 'loop', backingFile: '/tmp/cachescope-disk-00000000/disk.img' } },
  { number: 2, make: { kind: 'mount', path: '/tmp/cachescope-disk-00000000/mount' } },
  { number: 3, make: { kind: 'process', name: 'nginx', process: { pid: 999_999, startTime: 3 } } },
  { undone: 1 },
  { head: { ...head, standing: { kind: 'nbd-delay', delayMs: 5, delayWrites: false } } },
]);

/** Every file format that the product reads, by name. */
export const inputFormats: Record<string, InputFormat> = {
  'run.json': (() => {
    let number = 0;
    return {
      async take(make: Mutation, derives: boolean) {
        const found = saved[number++ % saved.length] as Saved;
        await takeRun(found, 'run', make.json(found.run.text), derives);
      },
    };
  })(),
  samples: takeLines('sweep'),
  loads: takeLines('explore'),
  traced: takeLines('sweep', 'beside'),
  slices: takeLines('micro'),
  pageloads: takeLines('pageload'),
  fills: takeLines('fill'),
  transfers: takeLines('transfer'),
  windows: takeLines('reclaim'),
  pairs: takeLines('comparison'),
  journal: {
    async take(make) {
      const path = join(directory, 'made.ndjson');
      writeFileSync(path, make.lines(journal), { mode: 0o600 });
      const told: string[] = [];
      for (const each of journalsHere(directory, (_path, problem) => told.push(problem))) {
        const made = each.entries.map((entry) => entry.made);
        made.forEach((entry) => doubtOf(entry, made));
      }
    },
  },
  HAR: {
    async take(make) {
      const text = make.json(har);
      // The way the panel and `har` read it.
      const parsed = parsedJson('x.har', text);
      if ('value' in parsed) {
        readHar({ name: 'x.har', json: parsed.value });
        annotatedArchive({ name: 'x.har', json: parsed.value });
      }
      const path = written('x.har', text);
      replay(readRecording(path));
      await readSource({ from: 'har', path }, 'recorded', notRecorded);
    },
  },
  'access log': {
    async take(make) {
      replay(readRecording(written('x.log', make.text(log))));
    },
  },
  variants: {
    async take(make) {
      const problems: string[] = [];
      readFactorFlags({ variants: written('variants.json', make.json(variants)) }, problems);
      if (problems.length > 0) throw usageError(problems);
    },
  },
  profile: {
    async take(make, derives) {
      const problems: string[] = [];
      const found = readProfile(written('profile.json', make.json(profile)), problems);
      if (!found) throw usageError(problems);
      if (derives) writeLatencies(directory, found);
    },
  },
  'classic CSV': {
    async take(make) {
      const path = written('x.csv', make.text(csv));
      const [table] = await readCompareSources(path, path);
      const found = sideOf('x.csv', table, {}, undefined);
      if ('problems' in found) return;
      const options = { margin: 0.02, across: [], isOneRun: false, names: undefined };
      const compared = compareSides(found.value, found.value, options, runBase);
      if ('problems' in compared) return;
      shownComparison(compared.value);
    },
  },
  'page list': {
    async take(make) {
      const list = 'document 10kB index.html\n  script 20kB a.js\n  image 5kB b.png stale\n';
      await readSource(
        { from: 'list', path: written('list', make.text(list)) },
        'synthetic',
        notRecorded,
      );
    },
  },
};

const notRecorded = (): Promise<object> => Promise.reject(new Error('nothing is recorded here'));

function written(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function replay(read: ReturnType<typeof readRecording>): void {
  if ('problems' in read) throw usageError(read.problems);
  const { requests } = read.value;
  replayed(requests, { speed: 1, share: 1, seed: 1, timeMs: 3_600_000 });
  oneSizeEach(requests, 1e9);
}
