import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtExtension } from './extension-build.ts';

interface Manifest {
  permissions: string[];
  optional_permissions: string[];
}

/**
 * Copies the built extension and grants it chrome.webRequest from the start: no user is present to confirm Chromium's
 * permission prompt. Returns the folder of the copy.
 */
export async function grantedExtension(directory: string): Promise<string> {
  const copy = join(directory, 'extension');
  await cp(await builtExtension(), copy, { recursive: true });
  const path = join(copy, 'manifest.json');
  const manifest: Manifest = JSON.parse(await readFile(path, 'utf8'));
  const permissions = [...manifest.permissions, 'webRequest'];
  const optional = manifest.optional_permissions.filter((name) => name !== 'webRequest');
  const granted = { ...manifest, permissions, optional_permissions: optional };
  await writeFile(path, JSON.stringify(granted));
  return copy;
}
