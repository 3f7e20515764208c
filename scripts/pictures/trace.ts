// npm run pictures -- trace: measures a traced sweep (root or passwordless sudo) and draws harness/docs/trace-devtools.png,
// its slowest read in the Performance panel of Chromium's DevTools.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { panelBrowser } from '../../harness/browser/panel-browser.ts';
import { writePicture } from './write-picture.ts';

const root = join(import.meta.dirname, '../..');
const picturePath = join(root, 'harness/docs/trace-devtools.png');
/** The picture of an empty Performance panel is smaller. */
const leastBytes = 40_000;
/** DevTools' window, and the part of it above the empty summary. CSS px. */
const [width, height, shownHeight] = [1200, 620, 440];
/** Time shown before and after the read, µs. */
const marginUs = 2000;
const pauseMs = 100;

function cachescope(...words: string[]): void {
  const { status } = spawnSync(
    'node',
    [join(root, 'scripts/start.mjs'), 'harness/cli.ts', ...words],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error(`${words[0]} ended with exit code ${status}`);
}

interface TraceEvent {
  name: string;
  cat: string;
  pid: number;
  ts: number;
  dur: number;
}

/** Writes the trace of a short sweep; returns its slowest read. */
function traceTo(path: string, directory: string): TraceEvent {
  const run = join(directory, 'run');
  const few = ['--samples', '1', '--launches', '1', '--workload', 'synthetic:1MiB'];
  const plan = ['--delays', '5', '--trace', '--no-recompress', '--env', 'skip', ...few];
  cachescope('sweep', ...plan, '--wait', '--out', run);
  cachescope('report', run, '--perfetto', path);
  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8')) as { traceEvents: TraceEvent[] };
  const reads = traceEvents.filter(({ cat }) => cat === 'cachescope.read');
  const [slowest] = reads.toSorted((one, other) => other.dur - one.dur);
  if (!slowest) throw new Error('the trace has no read');
  return slowest;
}

/** Opens the Performance panel in a window of its own, without the dialog of its first use and without its sidebar. */
const showPanel = `Promise.all([
    import('./ui/legacy/legacy.js'), import('./core/common/common.js'),
  ]).then(([{ DockController, ViewManager }, { Settings }]) => {
    const settings = Settings.Settings.instance();
    settings.createSetting('timeline.user-had-shortcuts-dialog-opened-once', false).set(true);
    DockController.DockController.instance().setDockSide('undocked');
    return ViewManager.ViewManager.instance().showView('timeline');
  }).then(() => true)`;

/** The flame chart, for the expressions below. */
const chart = `import('./panels/timeline/timeline.js').then(({ TimelinePanel }) =>
  TimelinePanel.TimelinePanel.instance().flameChart.mainFlameChart)`;

/** Shows this time only, and opens the tracks of the read; returns their names. */
function showRead({ name, pid, ts, dur }: TraceEvent): string {
  const [min, max] = [ts - marginUs, ts + dur + marginUs];
  return `Promise.all([${chart}, import('./services/trace_bounds/trace_bounds.js')])
    .then(([chart, { TraceBounds }]) => {
      TraceBounds.BoundsManager.instance()
        .setTimelineVisibleWindow({ min: ${min}, max: ${max}, range: ${max - min} });
      const { groups } = chart.rawTimelineData;
      const first = groups.findIndex(({ name }) => name === ${JSON.stringify(`${name} (${pid})`)});
      const next = groups.findIndex(({ style }, index) => index > first && style.nestingLevel === 0);
      const indexes = [...groups.keys()].slice(first, next);
      for (const index of indexes) if (!groups[index].expanded) chart.toggleGroupExpand(index);
      return indexes.map((index) => groups[index].name).join(', ');
    })`;
}

using cleanup = new DisposableStack();
const directory = mkdtempSync(join(tmpdir(), 'cachescope-picture-'));
cleanup.defer(() => rmSync(directory, { recursive: true, force: true }));
const path = join(directory, 'trace.json');
const read = traceTo(path, directory);
const panel = await panelBrowser();
try {
  const devtools = await panel.openDevTools(await panel.newPage());
  // Directly after it opens, DevTools has no views yet, and the call throws.
  while (!(await devtools.evaluate(showPanel).catch(() => false))) await sleep(pauseMs);
  await devtools.setViewport({ width, height });
  const input = await devtools.waitForSelector('>>> input[accept*=cpuprofile]');
  await input?.uploadFile(path);
  const isLoaded = `${chart}.then(({ rawTimelineData }) => rawTimelineData?.groups.length > 0)`;
  while (!(await devtools.evaluate(isLoaded))) await sleep(pauseMs);
  await devtools.locator('::-p-aria(Hide sidebar)').click();
  const tracks = String(await devtools.evaluate(showRead(read)));
  if (!/Steps of the read.*Device reads/.test(tracks)) throw new Error(`only ${tracks} is shown`);
  // DevTools moves to the shown time in an animation.
  await sleep(1000);
  const clip = { x: 0, y: 0, width, height: shownHeight };
  writePicture(
    picturePath,
    await devtools.screenshot({ clip, captureBeyondViewport: false }),
    leastBytes,
  );
} finally {
  await panel.close();
}
