// npm run pictures -- trace: measures a traced sweep (root or passwordless sudo) and draws its slowest read in Perfetto
// (harness/docs/trace-perfetto.png) and in the Performance panel of Chromium's DevTools (harness/docs/trace-devtools.png).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { panelBrowser } from '../../harness/browser/panel-browser.ts';
import { devtoolsPicture } from './devtools-trace.ts';
import { perfettoPicture } from './perfetto-trace.ts';
import { tracedSweep } from './traced-sweep.ts';

using cleanup = new DisposableStack();
const directory = mkdtempSync(join(tmpdir(), 'cachescope-picture-'));
cleanup.defer(() => rmSync(directory, { recursive: true, force: true }));
const path = join(directory, 'trace.json');
const read = tracedSweep(path, directory);
const panel = await panelBrowser();
try {
  await perfettoPicture(panel, path, read);
  await devtoolsPicture(panel, path, read);
} finally {
  await panel.close();
}
