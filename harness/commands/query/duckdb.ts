import type * as DuckDb from '@duckdb/node-api';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { keptPackage } from '../../environment/setup/kept-package.mjs';
import { CachescopeError, messageOf } from '../../error.ts';
import { commandText } from '../../privilege.ts';
import { say } from '../../terminal.ts';

const name = '@duckdb/node-api';

/** Whether a node_modules has DuckDB's build for this processor. */
const isWhole = (modules: string) =>
  globSync(`@duckdb/node-bindings-${process.platform}-${process.arch}*/duckdb.node`, {
    cwd: modules,
  }).length > 0;

/** The tested version. */
function testedVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return JSON.parse(manifest).optionalDependencies[name];
}

/**
 * Loads DuckDB, whose 70 MB only a query uses: the first query fetches it.
 *
 * @throws CachescopeError CS_QUERY_DUCKDB where it can be neither fetched nor loaded, exit code 3.
 */
export async function loadDuckDb(): Promise<typeof DuckDb> {
  const version = testedVersion();
  return installedDuckDb(version) ?? keptDuckDb(version);
}

/** The one among the packages beside this one; null: it has another version, or no build for this machine. */
function installedDuckDb(version: string): typeof DuckDb | null {
  const require = createRequire(import.meta.url);
  try {
    return require(`${name}/package.json`).version === version ? require(name) : null;
  } catch {
    return null;
  }
}

function keptDuckDb(version: string): typeof DuckDb {
  const kept = keptPackage(name, version, isWhole);
  if (!kept.isThere()) {
    say(`Fetching DuckDB ${version} into ${kept.folder}, once (70 MB) …`);
    if (!kept.fetch())
      throw new CachescopeError(
        'CS_QUERY_DUCKDB',
        `a query needs DuckDB ${version}, which npm could not fetch into ${kept.folder}`,
        { hint: `Where the package registry can be reached, type: ${commandText(kept.command)}` },
      );
  }
  try {
    return createRequire(join(kept.modules, 'any.js'))(name);
  } catch (error) {
    const removal = commandText(['rm', '-r', kept.folder]);
    throw new CachescopeError(
      'CS_QUERY_DUCKDB',
      `DuckDB in ${kept.folder} cannot be loaded: ${messageOf(error)}`,
      { hint: `Remove it, and the next query fetches it again: ${removal}`, cause: error },
    );
  }
}
