import { offeredDictionary } from '@cachescope/model/dictionary/use.ts';
import { cacheDirectives } from '@cachescope/model/caching/cache-directives.ts';
import { fieldValue, type HeaderFields } from '@cachescope/model/load/header-fields.ts';
import { parsedUrl } from '@cachescope/model/web-url.ts';
import { type Finding, rfc9842 } from './finding.ts';

/** A response and its request, as far as they are known. */
export interface Exchange {
  url: string;
  status: number | null;
  requestHeaders: HeaderFields;
  headers: HeaderFields;
  /** When it had arrived, ms since the epoch. */
  receivedAt: number;
  /** Size of the decoded body; null: unknown. */
  decodedBytes: number | null;
}

/** The dictionary that a response offers; null: none. A page of the response's own origin asked for it. */
export function offerOf(exchange: Exchange) {
  const { url, status, headers, requestHeaders, receivedAt, decodedBytes } = exchange;
  const resource = {
    url,
    status,
    requestHeaders: requestHeaders.map(([name, value]): [string, string] => [name, value]),
    responseHeaders: headers.map(([name, value]): [string, string] => [name, value]),
    startMs: 0,
    durationMs: 0,
    decodedBytes,
  };
  return offeredDictionary(resource, { startedAt: new Date(receivedAt).toISOString(), url });
}

/** Where each problem of an offer is defined, and what to do about it. */
const problemRules: readonly (readonly [RegExp, rule: string, fix: string])[] = [
  [
    /match-dest/,
    rfc9842('2.1.2'),
    'name request destinations of the Fetch standard, or omit match-dest.',
  ],
  [/regular expressions/, rfc9842('2.1.1'), 'use * instead of a group with a regular expression.'],
  [/match/, rfc9842('2.1.1'), 'send match with a URL pattern, such as match="/js/app.*.js".'],
  [/^id /, rfc9842('2.1.3'), 'send a shorter id, or none.'],
  [/type/, rfc9842('2.1.4'), 'omit type: raw is the default and the only one.'],
  [
    /stale/,
    rfc9842('2.2.1'),
    'send Cache-Control with max-age: a dictionary is used while it is fresh.',
  ],
  [/empty|bytes/, 'Chromium', 'offer a smaller body that is not empty.'],
  [/may not read/, rfc9842('9.3.2'), 'request it with CORS and send Access-Control-Allow-Origin.'],
];

const anyProblem = [
  rfc9842('2.1'),
  'write a structured-field dictionary: match="/js/*", id="v1".',
] as const;

/** What is wrong with a response that offers itself as a dictionary; none for any other response. */
export function offerFindings(exchange: Exchange): Finding[] {
  const { url, status, headers } = exchange;
  const field = fieldValue(headers, 'use-as-dictionary');
  const offered = offerOf(exchange);
  if (field === null || offered === null) return [];
  const found = (level: Finding['level'], says: string, rule: string, fix: string): Finding => ({
    level,
    url,
    says,
    rule,
    fix,
  });
  const findings = offered.problems.map((problem) => {
    const [, rule, fix] = problemRules.find(([about]) => about.test(problem)) ?? [
      null,
      ...anyProblem,
    ];
    return found('error', `browsers ignore the dictionary: ${problem}`, rule, fix);
  });
  if (status !== 200)
    findings.push(
      found(
        'error',
        `the dictionary has status ${status ?? 'unknown'}`,
        rfc9842('2.1'),
        'offer a response with status 200.',
      ),
    );
  if (!isSecure(url))
    findings.push(
      found(
        'error',
        'the dictionary is not in a secure context',
        rfc9842('8'),
        'serve it over HTTPS.',
      ),
    );
  if (/(^|[,\s])ttl\s*=/.test(field))
    findings.push(
      found(
        'warning',
        'ttl is no member of Use-As-Dictionary: browsers ignore it',
        rfc9842('2.1'),
        'say with Cache-Control how long the dictionary is fresh.',
      ),
    );
  const directives = cacheDirectives(fieldValue(headers, 'cache-control'));
  const isGiven = directives.has('max-age') || fieldValue(headers, 'expires') !== null;
  if (offered.problems.length === 0 && !isGiven)
    findings.push(
      found(
        'warning',
        'only a heuristic says how long the dictionary is fresh',
        rfc9842('2.2.1'),
        'send Cache-Control with max-age.',
      ),
    );
  if (fieldValue(headers, 'access-control-allow-origin') === null)
    findings.push(
      found(
        'note',
        'without Access-Control-Allow-Origin, only pages of its own origin can use the dictionary',
        rfc9842('9.3.2'),
        '',
      ),
    );
  return findings;
}

/** HTTPS, or this machine, which browsers trust. */
function isSecure(url: string): boolean {
  const { protocol, hostname } = parsedUrl(url) ?? { protocol: '', hostname: '' };
  return (
    protocol === 'https:' || /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  );
}
