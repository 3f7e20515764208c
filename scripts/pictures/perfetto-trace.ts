import { join } from 'node:path';
import type { PanelBrowser } from '../../harness/browser/panel-browser.ts';
import { installPerfetto, openInPerfetto } from '../perfetto.ts';
import type { ReadEvent } from './traced-sweep.ts';
import { writePicture } from './write-picture.ts';

const picturePath = join(import.meta.dirname, '../../harness/docs/trace-perfetto.png');
/** A picture without the tracks of the read is smaller. */
const leastBytes = 40_000;
/** CSS px. */
const [width, height] = [1200, 760];
/** Time shown before and after the read, µs. */
const marginUs = 1000;

/** Shows the tracks of one read alone, and selects a device read of its chain, for the arrows. */
function showRead({ name, ts, dur }: ReadEvent, selected: number): string {
  const [start, end] = [ts - marginUs, ts + dur + marginUs].map((us) => `${Math.round(us)}000n`);
  return `(() => {
    const { workspace, timeline, selection } = app.trace;
    const isOf = (track) => track.name.startsWith(${JSON.stringify(name)});
    for (const track of [...workspace.children]) isOf(track) ? track.expand() : track.remove();
    timeline.setViewportTime(${start}, ${end});
    selection.selectSqlEvent('slice', ${selected});
    return waitForPerfettoIdle();
  })()`;
}

/** Draws a read of a trace in Perfetto. */
export async function perfettoPicture(
  panel: PanelBrowser,
  trace: string,
  read: ReadEvent,
): Promise<void> {
  const page = await panel.newPage();
  await page.setViewport({ width, height });
  const perfetto = installPerfetto(join(panel.directory, 'perfetto'));
  const opened = await openInPerfetto(page, perfetto, trace);
  try {
    const [second] =
      await opened.query(`SELECT slice.id FROM slice JOIN thread_track ON track_id = thread_track.id
      JOIN thread USING (utid) JOIN process USING (upid)
      WHERE pid = ${read.pid} AND extract_arg(slice.arg_set_id, 'args.placeInChain') = 2`);
    await page.evaluate(showRead(read, Number(second?.['id'])));
    writePicture(picturePath, await page.screenshot(), leastBytes);
  } finally {
    await opened.close();
    await page.close();
  }
}
