import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const limitMs = 30_000;

/** The version that a Chromium reports, such as `156.0.8078.79`; null when it reports none. */
export async function chromiumVersion(path: string): Promise<string | null> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: limitMs });
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? null;
}
