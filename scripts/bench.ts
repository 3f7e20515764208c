// npm run bench [-- NAME ...]: what this project promises about speed, measured. Figures are for reading, not for passing.
import { measureLaunch } from './bench/launch.ts';
import { measurePanel } from './bench/panel.ts';
import { measureStatistics } from './bench/statistics.ts';
import { measureSweep } from './bench/sweep.ts';
import { measureTruthTable } from './bench/truth-table.ts';
import { measureWatching } from './bench/watching.ts';

const benches: Record<string, () => Promise<void>> = {
  watching: measureWatching,
  panel: measurePanel,
  'truth-table': measureTruthTable,
  launch: measureLaunch,
  sweep: measureSweep,
};
/** Takes a quarter of an hour, so it is run by its name only: 20,000 trials each. */
const long: Record<string, () => Promise<void>> = { statistics: measureStatistics };

const named = process.argv.slice(2);
const known = { ...benches, ...long };
const unknown = named.filter((name) => !(name in known));
if (unknown.length > 0) {
  console.error(
    `No bench is called ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, measure] of Object.entries(known)) {
  if (named.length > 0 ? !named.includes(name) : name in long) continue;
  console.log(`\n== ${name}`);
  await measure();
}
