import { join } from 'node:path';
import { messageOf } from '../error.ts';
import { createPrivilege } from '../privilege.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import { drawCharts } from './charts.ts';

/** Draws the charts of a written report into `charts` beside it; returns why that was not possible, or null. */
export async function drawnCharts(
  html: string,
  directory: string,
  chromiumPath: string | null,
): Promise<string | null> {
  if (chromiumPath === null) return 'no Chromium was found to draw them';
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  // Journaled: the files of a program that is killed while it draws are removed later.
  const work = await makeWorkDirectory('charts', privilege);
  try {
    await drawCharts(chromiumPath, html, join(directory, 'charts'), join(work.path, 'p'));
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    await work.remove();
  }
}
