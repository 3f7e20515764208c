import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { text } from 'node:stream/consumers';
import type { NginxPlace } from '../harness/nginx/nginx-config.ts';

/** Kind of a case: a requirement of the RFCs, a recommendation of the RFCs, or only an observation of behaviour. */
export type CaseKind = 'required' | 'optimal' | 'check';

/** One case of the suite. */
export interface SuiteCase {
  id: string;
  kind: CaseKind;
  /** Ids of the cases that must pass before the result of this one is meaningful. */
  dependsOn: readonly string[];
}

/** The result of each case, by its id: true when it passed, otherwise the reason. */
export type SuiteResults = Readonly<Record<string, true | readonly [kind: string, why: string]>>;

/** The suite's server: the upstream of the cache under test. */
export interface SuiteServer extends AsyncDisposable {
  url: string;
}

/**
 * The public HTTP cache test suite (github.com/http-tests/cache-tests), in a directory: its npm package, or a checkout
 * with its dependencies installed.
 */
export class CacheSuite {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The cases for proxies, in the suite's order. */
  async cases(): Promise<SuiteCase[]> {
    const { default: groups } = (await import(
      pathToFileURL(join(this.#folder, 'tests/index.mjs')).href
    )) as { default: { tests: RawCase[] }[] };
    return groups
      .flatMap(({ tests }) => tests)
      .filter(({ browser_only: isForBrowsers }) => !isForBrowsers)
      .map(({ id, kind = 'required', depends_on: dependsOn = [] }) => ({ id, kind, dependsOn }));
  }

  /** Starts the suite's server on a free port. */
  async serve(): Promise<SuiteServer> {
    const folder = await mkdtemp(join(tmpdir(), 'cache-suite-'));
    const server = this.#start('server/server.mjs', {
      protocol: 'http',
      port: '0',
      pidfile: join(folder, 'pid'),
    });
    const ended = once(server, 'close');
    const port = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (chunk: Buffer) => {
        const [, found] = /Listening on .*:(\d+)\//.exec(chunk.toString()) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.once('close', () => reject(new Error('the server of the suite ended')));
    });
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        server.kill();
        await ended;
        await rm(folder, { recursive: true });
      },
    };
  }

  /** Runs all cases against a cache in front of the suite's server. Cases whose setup came too late run again. */
  async run(url: string): Promise<SuiteResults> {
    const results = await this.#runOnce(url);
    let late = lateCases(results);
    for (let more = 0; more < mostRepeats && late.length > 0; more++) {
      const again = await this.#runOnce(url);
      Object.assign(results, Object.fromEntries(late.map((id) => [id, again[id]])));
      late = lateCases(results);
    }
    return results;
  }

  async #runOnce(url: string): Promise<SuiteResults> {
    const client = this.#start('cli.mjs', { base: url, id: '' });
    return JSON.parse(await text(client.stdout));
  }

  /** The suite's published results of a cache. `name`: name of a file in its directory `results`. */
  published(name: string): SuiteResults {
    const path = join(this.#folder, 'results', `${name}.json`);
    return JSON.parse(readFileSync(path, 'utf8')) as SuiteResults;
  }

  #start(program: string, config: Readonly<Record<string, string>>) {
    const moved = join(this.#folder, 'test-engine', program);
    const path = existsSync(moved) ? moved : join(this.#folder, program);
    const named = Object.entries(config).flatMap(([name, value]) => [
      [`npm_config_${name}`, value],
      [`npm_package_config_${name}`, value],
    ]);
    return spawn(process.execPath, ['--no-warnings', path], {
      cwd: this.#folder,
      env: { ...process.env, ...Object.fromEntries(named) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }
}

/** A cache that always changes Age fails each time. A busy machine can be late several times in a row. */
const mostRepeats = 20;

/**
 * The cases whose setup expects the Age that the suite's server sent, and met a later one. A cache adds the time that
 * the answer took (RFC 9111 section 4.2.3, response_delay): a second or more on a busy machine. Such a setup says
 * nothing about what the case is for.
 */
function lateCases(results: SuiteResults): string[] {
  return Object.entries(results).flatMap(([id, result]) =>
    result !== true && result[0] === 'Setup' && /header Age is "\d+", not "\d+"/.test(result[1])
      ? [id]
      : [],
  );
}

/** The suite's own configuration of nginx (docker/nginx), with the paths changed to a directory of its own. */
export const suiteNginxConfig =
  (upstream: string) =>
  ({ directory, port, user }: NginxPlace): string =>
    `
    ${user === null ? '' : `user ${user};`}
    daemon off;
    pid ${directory}/nginx.pid;
    error_log ${directory}/error.log;
    events {}
    http {
      access_log off;
      client_body_temp_path ${directory}/temp/client;
      fastcgi_temp_path ${directory}/temp/fastcgi;
      uwsgi_temp_path ${directory}/temp/uwsgi;
      scgi_temp_path ${directory}/temp/scgi;
      proxy_cache_path ${directory}/cache levels=1:2 keys_zone=my-cache:8m max_size=1000m inactive=600m;
      proxy_temp_path ${directory}/temp/proxy;
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${upstream};
          proxy_cache my-cache;
          proxy_cache_revalidate on;
          proxy_http_version 1.1;
        }
      }
    }`;

interface RawCase {
  id: string;
  kind?: CaseKind;
  depends_on?: string[];
  browser_only?: boolean;
}

/** Ids of the cases that passed together with all cases they depend on. */
export function passedCases(cases: readonly SuiteCase[], results: SuiteResults): Set<string> {
  const byId = new Map(cases.map((each) => [each.id, each]));
  const passes = (id: string): boolean =>
    results[id] === true && (byId.get(id)?.dependsOn ?? []).every(passes);
  return new Set(cases.map(({ id }) => id).filter(passes));
}
