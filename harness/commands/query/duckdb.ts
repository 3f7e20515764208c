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
  globSync(`@duckdb/node-bindings-linux-${process.arch}*/duckdb.node`, { cwd: modules }).length > 0;

/** The tested version. */
function testedVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return JSON.parse(manifest).optionalDependencies[name];
}

/**
 * Loads DuckDB, 70 MB that only a query uses: a clone has it, an installed package fetches it at the first query.
 *
 * @throws CachescopeError CS_QUERY_DUCKDB where it can be neither fetched nor loaded, exit code 3.
 */
export async function loadDuckDb(): Promise<typeof DuckDb> {
  const version = testedVersion();
  return isInstalled(version) ? import(name) : keptDuckDb(version);
}

/** Whether it is among the packages beside this one; another version may be, of another program. */
function isInstalled(version: string): boolean {
  try {
    return createRequire(import.meta.url)(`${name}/package.json`).version === version;
  } catch {
    return false;
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
