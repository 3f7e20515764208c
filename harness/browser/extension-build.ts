import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { placeOf } from '../environment/setup/surroundings.mjs';
import { CachescopeError } from '../error.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const sources = join(root, 'extension');
const built = join(sources, 'dist');
const viteConfig = join(root, 'vite.config.ts');
/** Directory of the modules that the build configuration imports. */
const buildScripts = join(root, 'scripts', 'build');

function newestChange(directory: string): number {
  let newest = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === 'dist' || entry.name === 'node_modules') continue;
    const path = join(directory, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

/** Reports are built last: when all of them are newer than the sources, so is the rest. */
function isCurrent(): boolean {
  const changedAt = Math.max(
    newestChange(sources),
    newestChange(buildScripts),
    statSync(viteConfig).mtimeMs,
  );
  return globSync('*/report.ts', { cwd: join(sources, 'panel/experiments') }).every((source) => {
    const report = join(built, 'reports', `${dirname(source)}.html`);
    return existsSync(report) && statSync(report).mtimeMs > changedAt;
  });
}

/** Several browsers that start at once wait for one build: two would overwrite each other. */
let building: Promise<void> | undefined;

/**
 * Builds the extension when its sources are newer than the last build. An installed package contains the built
 * extension, and no tools to build it. Returns the folder of the built extension.
 */
export async function builtExtension(): Promise<string> {
  if (existsSync(viteConfig) && !isCurrent())
    await (building ??= build().finally(() => {
      building = undefined;
    }));
  return built;
}

/** @throws CachescopeError CS_ENVIRONMENT where this user cannot write what is built. */
function requireWritable(): void {
  const directory = existsSync(built) ? built : sources;
  if (placeOf(directory)?.isWritable) return;
  throw new CachescopeError(
    'CS_ENVIRONMENT',
    `the extension is not built, and this user cannot write ${directory}`,
    { hint: 'Type once as the user who owns the project: npm run build:extension' },
  );
}

async function build(): Promise<void> {
  requireWritable();
  const { createBuilder } = await import('vite');
  // A test runner sets another value, and libraries would then be bundled with their development warnings.
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    const builder = await createBuilder({
      configFile: viteConfig,
      // Node reads it as it is: Vite would write a bundle of it into the project.
      configLoader: 'native',
      logLevel: 'error',
    });
    await builder.buildApp();
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
}

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
