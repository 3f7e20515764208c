import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { which } from 'zx';
import { messageOf } from '../error.ts';

const run = promisify(execFile);
/** How long `nginx -v` may take, ms. */
const limitMs = 5_000;

/** An nginx that was found to be one. */
export interface NginxBinary {
  path: string;
  /** For example `nginx version: nginx/1.22.1`. */
  version: string;
}

/** The distribution's package, and where it puts its program. */
export const nginxPackage = 'nginx-light';

/** The nginx of the search path, of /usr/sbin also where a user's path leaves it out; null when there is none. */
export async function ownNginx(): Promise<NginxBinary | null> {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
  const found = await which('nginx', { nothrow: true, path });
  if (found === null) return null;
  const read = await readBinary(found);
  return 'version' in read ? read : null;
}

/** Reads a binary that the user names. A problem is a sentence. */
export async function readBinary(path: string): Promise<NginxBinary | { problem: string }> {
  try {
    if (!statSync(path).isFile()) return { problem: `${path} is not a file` };
    accessSync(path, constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: `${path} cannot be started (${code})` };
  }
  try {
    const { stdout, stderr } = await run(path, ['-v'], { timeout: limitMs });
    const version = /^nginx version: \S+/m.exec(`${stderr}\n${stdout}`)?.[0];
    if (version !== undefined) return { path, version };
    return { problem: `${path} -v does not say that it is nginx` };
  } catch (error) {
    return { problem: `${path} -v failed: ${messageOf(error).split('\n')[0]}` };
  }
}
