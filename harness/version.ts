import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Version of this program, from the root's package.json. */
export const toolVersion: string = (
  JSON.parse(
    readFileSync(join(dirname(dirname(fileURLToPath(import.meta.url))), 'package.json'), 'utf8'),
  ) as { version: string }
).version;
