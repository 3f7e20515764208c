import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../../harness/browser/find.ts';

/** An empty directory, which is removed at the end of its scope. */
export function temporaryDirectory(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'cachescope-bench-'));
  // A browser that has just ended may still write to its profile.
  const dispose = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  return { path, [Symbol.dispose]: dispose };
}

/** Path of the Chromium of this machine. */
export async function chromiumPath(): Promise<string> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  return chromium.path;
}

/** Closes something at the end of its scope. */
export function closing(open: { close(): unknown }): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => void (await open.close()) };
}
