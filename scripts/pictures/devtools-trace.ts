import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PanelBrowser } from '../../harness/browser/panel-browser.ts';
import type { ReadEvent } from './traced-sweep.ts';
import { writePicture } from './write-picture.ts';

const picturePath = join(import.meta.dirname, '../../harness/docs/trace-devtools.png');
/** The picture of an empty Performance panel is smaller. */
const leastBytes = 40_000;
/** DevTools' window, and the part of it above the empty summary. CSS px. */
const [width, height, shownHeight] = [1200, 620, 440];
/** Time shown before and after the read, µs. */
const marginUs = 2000;
const pauseMs = 100;

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
function showRead({ name, pid, ts, dur }: ReadEvent): string {
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

/** Draws a read of a trace in the Performance panel of Chromium's DevTools. */
export async function devtoolsPicture(
  panel: PanelBrowser,
  trace: string,
  read: ReadEvent,
): Promise<void> {
  const devtools = await panel.openDevTools(await panel.newPage());
  // Directly after it opens, DevTools has no views yet, and the call throws.
  while (!(await devtools.evaluate(showPanel).catch(() => false))) await sleep(pauseMs);
  await devtools.setViewport({ width, height });
  const input = await devtools.waitForSelector('>>> input[accept*=cpuprofile]');
  await input?.uploadFile(trace);
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
}
