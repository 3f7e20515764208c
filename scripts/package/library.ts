import { gzipSync } from 'node:zlib';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A module for pages: one file without imports. */
export interface LibraryModule {
  /** Its source, from the root of the project. */
  source: string;
  /** Size limits, bytes: of the file, and of it compressed with gzip. */
  most: { bytes: number; gzipBytes: number };
}

/** The modules of the package that run in a page or anywhere else, by the name that is imported. */
export const libraryModules: Readonly<Record<string, LibraryModule>> = {
  attribution: {
    source: 'extension/attribution/attribution.ts',
    most: { bytes: 24_000, gzipBytes: 7000 },
  },
  field: { source: 'extension/field/field.ts', most: { bytes: 12_000, gzipBytes: 4000 } },
};

/**
 * Bundles a module. `format`: an ES module, or a script that defines the global `cachescope`.
 *
 * @throws Error when it is larger than its limits.
 */
export async function builtModule(name: string, format: 'es' | 'iife' = 'es'): Promise<string> {
  const { source, most } = libraryModules[name] as LibraryModule;
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, source), formats: [format], name: 'cachescope', fileName: name },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const [chunk] = first && 'output' in first ? first.output : [];
  if (chunk?.type !== 'chunk') throw new Error(`${source} was not built`);
  const { code } = chunk;
  const bytes = Buffer.byteLength(code);
  const gzipBytes = gzipSync(code, { level: 9 }).byteLength;
  if (format === 'es' && (bytes > most.bytes || gzipBytes > most.gzipBytes))
    throw new Error(
      `${name} has ${bytes} bytes, ${gzipBytes} with gzip; at most ${most.bytes} and ${most.gzipBytes} are allowed`,
    );
  return code;
}

async function main(): Promise<void> {
  for (const name of Object.keys(libraryModules)) {
    const code = await builtModule(name);
    const gzipBytes = gzipSync(code, { level: 9 }).byteLength;
    console.log(`${name}: ${Buffer.byteLength(code)} bytes, ${gzipBytes} with gzip`);
  }
}

if (import.meta.main) await main();
