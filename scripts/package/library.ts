import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A module of the package: one file without imports. */
export interface LibraryModule {
  /** Its source, from the root of the project. */
  source: string;
  /** Size limits, bytes: of the file, and of it compressed with gzip. */
  most: { bytes: number; gzipBytes: number };
  /** It brings the script of a watched page. */
  hasPageScript?: true;
}

/** The modules of the package, by the name that is imported. */
export const libraryModules: Readonly<Record<string, LibraryModule>> = {
  attribution: {
    source: 'extension/attribution/attribution.ts',
    most: { bytes: 24_000, gzipBytes: 7000 },
  },
  field: { source: 'extension/field/field.ts', most: { bytes: 12_000, gzipBytes: 4000 } },
  puppeteer: watching('puppeteer'),
  playwright: watching('playwright'),
};

function watching(driver: string): LibraryModule {
  const most = { bytes: 200_000, gzipBytes: 60_000 };
  return { source: `extension/watch/${driver}.ts`, most, hasPageScript: true };
}

/**
 * Bundles a module. `format`: an ES module, or a script that defines the global `cachescope`.
 *
 * @throws Error when it is larger than its limits.
 */
export async function builtModule(name: string, format: 'es' | 'iife' = 'es'): Promise<string> {
  const { source, most, hasPageScript } = libraryModules[name] as LibraryModule;
  const script = hasPageScript ? await bundled('extension/watch/page-script.ts', 'iife') : '';
  const code = await bundled(source, format, script);
  const bytes = Buffer.byteLength(code);
  const gzipBytes = gzipSync(code, { level: 9 }).byteLength;
  if (format === 'es' && (bytes > most.bytes || gzipBytes > most.gzipBytes))
    throw new Error(
      `${name} has ${bytes} bytes, ${gzipBytes} with gzip; at most ${most.bytes} and ${most.gzipBytes} are allowed`,
    );
  return code;
}

async function bundled(source: string, format: 'es' | 'iife', pageScript = ''): Promise<string> {
  const { build } = await import('vite');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root,
    define: {
      pageScript: JSON.stringify(pageScript),
      packageVersion: JSON.stringify(version),
    },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, source), formats: [format], name: 'cachescope', fileName: 'module' },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const [chunk] = first && 'output' in first ? first.output : [];
  if (chunk?.type !== 'chunk') throw new Error(`${source} was not built`);
  return chunk.code;
}

async function main(): Promise<void> {
  for (const name of Object.keys(libraryModules)) {
    const code = await builtModule(name);
    const gzipBytes = gzipSync(code, { level: 9 }).byteLength;
    console.log(`${name}: ${Buffer.byteLength(code)} bytes, ${gzipBytes} with gzip`);
  }
}

if (import.meta.main) await main();
