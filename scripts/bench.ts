// npm run bench [-- NAME ...]: what this project promises about speed, measured. Figures are for reading, not for passing.
import { measureLaunch } from './bench/launch.ts';
import { measureSweep } from './bench/sweep.ts';
import { measureWatching } from './bench/watching.ts';

const benches: Record<string, () => Promise<void>> = {
  watching: measureWatching,
  launch: measureLaunch,
  sweep: measureSweep,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(
    `No bench is called ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, measure] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.log(`\n== ${name}`);
  await measure();
}
