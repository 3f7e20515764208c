// npm run bench [-- NAME ... | truth-table PATTERN | record-evidence PATTERN]: measures what this
// project promises about speed. The values inform a reader; they are no pass or fail criterion.
import { measureEdge } from './bench/edge.ts';
import { measureCompare } from './bench/compare.ts';
import { measureHistograms } from './bench/histograms.ts';
import { measureImages } from './bench/images.ts';
import { measureLargeMerge } from './bench/large-merge.ts';
import { measureLaunch } from './bench/launch.ts';
import { measureMicro } from './bench/micro.ts';
import { measureMillions } from './bench/millions.ts';
import { measurePanel } from './bench/panel.ts';
import { measureStart } from './bench/start.ts';
import { measureStatistics } from './bench/statistics.ts';
import { measureStorage } from './bench/storage.ts';
import { measureSweep } from './bench/sweep.ts';
import { measureStreams } from './bench/streams.ts';
import { measureTraceParser } from './bench/trace-parser.ts';
import { measureTracing } from './bench/tracing.ts';
import { measureTrust } from './bench/trust.ts';
import {
  measureBusyTruthTable,
  measureTruthTable,
  recordTruthTable,
  showTruthTable,
} from './bench/truth-table.ts';
import { measureWatching } from './bench/watching.ts';

const benches: Record<string, () => Promise<void>> = {
  watching: measureWatching,
  panel: measurePanel,
  start: measureStart,
  launch: measureLaunch,
  compare: measureCompare,
  streams: measureStreams,
  edge: measureEdge,
  trace: measureTraceParser,
  tracing: measureTracing,
  histograms: measureHistograms,
  storage: measureStorage,
  sweep: measureSweep,
  millions: measureMillions,
  trust: measureTrust,
};
/**
 * Too slow for the default set, so they run only by name: statistics and images take a quarter of an hour, micro six minutes,
 * large-merge a few; truth-table, truth-table-busy and record-evidence write files of this repository.
 */
const long: Record<string, () => Promise<void>> = {
  statistics: measureStatistics,
  micro: measureMicro,
  images: measureImages,
  'large-merge': measureLargeMerge,
  'truth-table': measureTruthTable,
  'truth-table-busy': measureBusyTruthTable,
  'record-evidence': recordTruthTable,
};

/** Benches of which a part can be chosen by the words after their name. */
const parts: Record<string, (chosen: string) => Promise<void>> = {
  'truth-table': showTruthTable,
  'record-evidence': recordTruthTable,
};

const words = process.argv.slice(2);
const known = { ...benches, ...long };
const [first = '', ...rest] = words;
const measurePart = rest.every((word) => word in known) ? undefined : parts[first];
await measurePart?.(rest.join(' '));
const named = measurePart ? [] : words;
const unknown = named.filter((name) => !(name in known));
if (unknown.length > 0) {
  console.error(
    `No bench is called ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, measure] of measurePart ? [] : Object.entries(known)) {
  if (named.length > 0 ? !named.includes(name) : name in long) continue;
  console.log(`\n== ${name}`);
  await measure();
}
