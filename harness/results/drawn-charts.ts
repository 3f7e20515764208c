import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../error.ts';
import { drawCharts } from './charts.ts';

/** Draws the charts of a written report into `charts` beside it; returns why that was not possible, or null. */
export async function drawnCharts(
  html: string,
  directory: string,
  chromiumPath: string | null,
): Promise<string | null> {
  if (chromiumPath === null) return 'no Chromium was found to draw them';
  const profile = await mkdtemp(join(tmpdir(), 'cachescope-charts-'));
  try {
    await drawCharts(chromiumPath, html, join(directory, 'charts'), profile);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}
