import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { encode } from '@cachescope/origin/encoding/encoder.ts';
import { defaultQualities } from '@cachescope/origin/encoding/qualities.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { dictionaryPath, resourcePath } from '@cachescope/origin/workloads/urls.ts';
import { deploymentFindings } from './deployment.ts';

const older = Buffer.from(
  'function hello() { return "a text that both versions share" }\n'.repeat(200),
);
const newer = Buffer.concat([older, Buffer.from('hello();\n')]);
const coded = {
  dcb: await encode('dcb', newer, defaultQualities, older),
  dcz: await encode('dcz', newer, defaultQualities, older),
};
const hash = `:${createHash('sha256').update(older).digest('base64')}:`;

interface Reply {
  status?: number;
  headers: Record<string, string>;
  body: Uint8Array;
}
type Deploy = (path: string, request: IncomingHttpHeaders) => Reply;

const vary = 'Accept-Encoding, Available-Dictionary, Sec-Fetch-Site';
const cacheControl = 'max-age=3600';
const open = { 'access-control-allow-origin': '*' };

/** A deployment without a fault. */
const right: Deploy = (path, request) => {
  const headers = { vary, 'cache-control': cacheControl, ...open };
  if (path === '/v1.js')
    return { headers: { ...headers, 'use-as-dictionary': 'match="/v*.js"' }, body: older };
  const accepted = request['accept-encoding'] ?? '';
  const coding = (['dcb', 'dcz'] as const).find((each) => accepted.includes(each));
  const isHeld = request['available-dictionary'] === hash;
  if (!coding || !isHeld || request['sec-fetch-site'] === 'cross-site')
    return { headers, body: newer };
  return { headers: { ...headers, 'content-encoding': coding }, body: coded[coding] };
};

/** The right deployment with one field changed; undefined removes it. */
const withField =
  (name: string, value: string | undefined, where = /./): Deploy =>
  (path, request) => {
    const reply = right(path, request);
    const { [name]: _old, ...headers } = reply.headers;
    if (!where.test(path) || _old === undefined) return reply;
    return { ...reply, headers: value === undefined ? headers : { ...headers, [name]: value } };
  };

/** The right deployment that takes some requests for others. */
const asIf =
  (change: IncomingHttpHeaders): Deploy =>
  (path, request) =>
    right(path, { ...request, ...change });

const withBody =
  (change: (body: Uint8Array, coding: string) => Uint8Array): Deploy =>
  (path, request) => {
    const reply = right(path, request);
    const coding = reply.headers['content-encoding'];
    return coding === undefined ? reply : { ...reply, body: change(reply.body, coding) };
  };

let deploy: Deploy = right;
let server: Server;
let base: string;
let asked: string[] = [];
let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin({ workloads: [await findWorkload('synthetic:20KiB')] });
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status = 200, headers, body } = deploy(request.url ?? '', request.headers);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => (asked = []));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await origin.close();
});

const lint = () => deploymentFindings([`${base}/v1.js`, `${base}/v2.js`]);

test('the own origin of this project has no error and no warning', async () => {
  const [workload] = origin.workloads;
  const name = workload?.name ?? '';
  const urls = [origin.url + dictionaryPath(name), origin.url + resourcePath(name)];
  const findings = await deploymentFindings(urls);
  expect(findings.filter(({ level }) => level !== 'note')).toEqual([]);
});

test('a deployment without a fault has no finding, and only the typed URLs are requested', async () => {
  deploy = right;
  expect(await lint()).toEqual([]);
  expect([...new Set(asked)].toSorted()).toEqual(['/v1.js', '/v2.js']);
});

const use = (field: string) => withField('use-as-dictionary', field);
const truncated = withBody((body) => body.subarray(0, body.length - 20));
const otherHash = withBody((body, coding) => {
  const changed = Buffer.from(body);
  changed[coding === 'dcb' ? 4 : 8] = (changed[coding === 'dcb' ? 4 : 8] ?? 0) ^ 1;
  return changed;
});

test.each<[string, Deploy, string, string]>([
  ['Vary: Accept-Encoding alone', withField('vary', 'Accept-Encoding'), '6.2', 'Firefox 147'],
  ['no Vary', withField('vary', undefined), '6.2', 'no Vary'],
  [
    'Vary without Accept-Encoding',
    withField('vary', 'Available-Dictionary'),
    '6.2',
    'without accept-encoding',
  ],
  ['Vary: *', withField('vary', '*'), '6.2', 'no cache can reuse'],
  [
    'Vary without Sec-Fetch-Site',
    withField('vary', 'accept-encoding, available-dictionary'),
    '9.3.3',
    'Sec-Fetch-Site',
  ],
  ['no match', use('id="a"'), '2.1.1', 'no match'],
  ['a match with a group', use(String.raw`match="/v(\\d).js"`), '2.1.1', 'regular expressions'],
  ['an unknown destination', use('match="/v*.js", match-dest=("cheese")'), '2.1.2', 'cheese'],
  ['a long id', use(`match="/v*.js", id="${'a'.repeat(1025)}"`), '2.1.3', 'id'],
  ['another type', use('match="/v*.js", type=zip'), '2.1.4', 'type'],
  ['no structured field', use('match=/v*.js'), '2.1', 'structured-field'],
  ['a ttl', use('match="/v*.js", ttl=3600'), '2.1', 'ttl'],
  [
    'a dictionary that is never fresh',
    withField('cache-control', 'no-cache', /v1/),
    '2.2.1',
    'stale',
  ],
  ['no Cache-Control', withField('cache-control', undefined, /v1/), '2.2.1', 'stale immediately'],
  ['no CORS', withField('access-control-allow-origin', undefined, /v1/), '9.3.2', 'own origin'],
  [
    'another hash is taken for it',
    asIf({ 'available-dictionary': hash }),
    '2.2',
    'another dictionary',
  ],
  ['Accept-Encoding is not read', asIf({ 'accept-encoding': 'dcb' }), '6.1', 'accept'],
  ['the site is not read', asIf({ 'sec-fetch-site': 'same-origin' }), '9.3.3', 'may not read'],
  ['a draft coding', withField('content-encoding', 'br-d'), '6.2', 'draft'],
  ['no label', withField('content-encoding', undefined), '6.2', 'begins like'],
  ['the dcb label for both', withField('content-encoding', 'dcb'), '4', 'does not begin'],
  ['a header that names another dictionary', otherHash, '5', 'names another dictionary'],
  ['a body that is cut', truncated, '5', 'cannot be decoded'],
  [
    'another version in the body',
    (path, request) => ({
      ...right(path, request),
      ...(request['available-dictionary']
        ? {}
        : path === '/v2.js'
          ? { body: Buffer.from('other') }
          : {}),
    }),
    '4',
    'differs from the plain',
  ],
  [
    'a dictionary with status 206',
    (path, request) => ({ ...right(path, request), status: 206 }),
    '2.1',
    'status 206',
  ],
  ['nothing is compressed', asIf({ 'available-dictionary': '' }), '6.2', 'neither dcb nor dcz'],
  ['a dictionary for other URLs', use('match="/other/*"'), '2.2.2', 'no typed URL matches'],
])('%s', async (_fault, faulty, section, says) => {
  deploy = faulty;
  const findings = await lint();
  expect(findings).toContainEqual(
    expect.objectContaining({
      rule: `RFC 9842 section ${section}`,
      says: expect.stringContaining(says),
    }),
  );
});

test('a large window is named, whatever the level', async () => {
  // A frame header (RFC 8878): no single segment, window of 16 MiB.
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 14 << 3, ...Array<number>(20).fill(0)]);
  deploy = withBody((body, coding) =>
    coding === 'dcz'
      ? Buffer.concat([body.subarray(0, 40), frame])
      : Buffer.concat([body.subarray(0, 36), Buffer.from([0x11])]),
  );
  const says = (await lint()).map((finding) => finding.says);
  expect(says).toContainEqual(
    'the dcz body needs a window of 16 MiB; clients support 8 MiB with this dictionary',
  );
  expect(says).toContainEqual(expect.stringContaining('Large Window Brotli'));
});

test('a body that changes by itself decides nothing', async () => {
  let count = 0;
  deploy = (path, request) => {
    const reply = right(path, request);
    const isPlain = path === '/v2.js' && reply.headers['content-encoding'] === undefined;
    return isPlain ? { ...reply, body: Buffer.from(`version ${count++}`) } : reply;
  };
  const findings = await lint();
  expect(findings.map(({ level }) => level)).not.toContain('error');
  expect(findings.map(({ says }) => says).join()).toContain('two plain responses differ');
});

test('a URL without a response is an error with a code', async () => {
  await expect(deploymentFindings(['http://127.0.0.1:1/'])).rejects.toMatchObject({
    code: 'CS_LINT_URL',
  });
});
