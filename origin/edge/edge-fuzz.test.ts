import { get, type OutgoingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { propertyRuns } from '@cachescope/model/fixtures/property-runs.ts';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { edgeModes } from './edge.ts';
import { startEdge } from './server.ts';

/** One answer of a hostile upstream. */
interface Answer {
  interim: readonly string[];
  version: string;
  status: number;
  fields: readonly string[];
  framing: keyof typeof framings;
  /** What follows on the connection. */
  after: string;
  end: 'open' | 'close' | 'reset';
  /** Whether it is sent in several pieces. */
  isSplit: boolean;
}

/** Bytes by which a body falls short of its long length. */
const missing = 9;

/** The framing of a body: its fields, its bytes, and the content that a recipient may take for complete; null: none. */
const framings = {
  length: (body: string) => [`Content-Length: ${body.length}`, body, body],
  'short length': (body: string) => [`Content-Length: ${body.length - 3}`, body, body.slice(0, -3)],
  'long length': (body: string, after: string) => [
    `Content-Length: ${body.length + missing}`,
    body,
    after.length < missing ? null : body + after.slice(0, missing),
  ],
  'two lengths': (body: string) => [
    `Content-Length: ${body.length}\r\nContent-Length: 3`,
    body,
    null,
  ],
  'signed length': (body: string) => [`Content-Length: +${body.length}`, body, null],
  chunked: (body: string) => ['Transfer-Encoding: chunked', `${chunk(body)}0\r\n\r\n`, body],
  trailers: (body: string) => [
    'Transfer-Encoding: chunked\r\nTrailer: Cache-Control',
    `${chunk(body)}0\r\nCache-Control: no-store\r\nX: ${body}\r\n\r\n`,
    body,
  ],
  'no last chunk': (body: string) => ['Transfer-Encoding: chunked', chunk(body), null],
  'bad chunk size': (body: string) => ['Transfer-Encoding: chunked', `${chunk(body)}zz\r\n`, null],
  'length and chunked': (body: string) => [
    `Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`,
    `${chunk(body)}0\r\n\r\n`,
    null,
  ],
  gzip: (body: string) => ['Transfer-Encoding: gzip', body, null],
  'gzip, chunked': (body: string) => [
    'Transfer-Encoding: gzip, chunked',
    `${chunk(body)}0\r\n\r\n`,
    null,
  ],
} satisfies Record<string, (body: string, after: string) => [string, string, string | null]>;

function chunk(body: string): string {
  return `${body.length.toString(16)}\r\n${body}\r\n`;
}

const evil = 'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 4\r\n\r\nEVIL';

const answers: fc.Arbitrary<Answer> = fc.record({
  interim: fc.array(
    fc.constantFrom(
      '100 Continue\r\n',
      '102 Processing\r\n',
      '103 Early Hints\r\nLink: </a.css>; rel=preload\r\nConnection: link\r\n',
      '199 Odd\r\nContent-Length: 4\r\n',
      '101 Switching Protocols\r\n',
      '101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n',
    ),
    { maxLength: 2, depthIdentifier: 'interim' },
  ),
  version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'EVIL'),
  status: fc.constantFrom(200, 200, 200, 200, 204, 206, 304, 404, 500, 99, 600, 999),
  fields: fc.uniqueArray(
    fc.constantFrom(
      'Cache-Control: max-age=60',
      'Cache-Control: max-age=60',
      'Cache-Control: private',
      'Vary: Accept-Encoding',
      'ETag: "1"',
      'Connection: close',
      'Connection: keep-alive, cache-control',
      'Connection: vary',
      'Connection: upgrade',
      'Upgrade: websocket',
      'Set-Cookie: a=b',
      'Keep-Alive: timeout=5',
      'Content-Range: bytes 0-3/9',
      'X-Odd: \xff',
      'X Space: a',
      ' folded',
    ),
    { maxLength: 5 },
  ),
  framing: fc.constantFrom(...(Object.keys(framings) as (keyof typeof framings)[])),
  after: fc.constantFrom('', '', '', evil, '\r\n', 'x'),
  end: fc.constantFrom('open', 'close', 'reset'),
  isSplit: fc.boolean(),
});

/** Fields of a request, and the Accept-Encoding that the upstream may see. */
const requests: readonly { fields: OutgoingHttpHeaders; seen: string }[] = [
  { fields: {}, seen: 'none' },
  { fields: { 'accept-encoding': 'br' }, seen: 'br' },
  { fields: { 'accept-encoding': 'br', connection: 'close, Accept-Encoding' }, seen: 'none' },
  { fields: { 'accept-encoding': 'br', 'cache-control': 'no-cache' }, seen: 'br' },
  { fields: { range: 'bytes=0-3', te: 'trailers' }, seen: 'none' },
  { fields: { 'if-none-match': '"1"', connection: 'upgrade', upgrade: 'websocket' }, seen: 'none' },
];

const exchanges = fc.array(
  fc.record({
    answer: answers,
    readers: fc.array(fc.constantFrom(...requests), { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
);

const good: Answer = {
  interim: [],
  version: 'HTTP/1.1',
  status: 200,
  fields: ['Cache-Control: max-age=60', 'Vary: Accept-Encoding'],
  framing: 'length',
  after: '',
  end: 'open',
  isSplit: false,
};

/** An answer that was given, and what may become of it. */
interface Given {
  target: string;
  seen: string;
  /** What a client may receive as complete; null: nothing. */
  content: string | null;
  /** What it may receive parts of: the arrived bytes of a body that is cut are bytes of it. */
  parts: string | null;
  varies: boolean;
  mayStore: boolean;
}

/** What a client received: null when the response was not complete. */
type Received = { status: number; body: string; isReused: boolean } | null;

async function hostileUpstream() {
  const given: Given[] = [];
  const sockets = new Set<Socket>();
  let answer = good;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1');
      if (!head.endsWith('\r\n\r\n')) return;
      const [, target = ''] = /^GET (\S+) /.exec(head) ?? [];
      const [, seen = 'none'] = /^accept-encoding: (.*)\r$/im.exec(head) ?? [];
      head = '';
      const body = `<${target} ${seen} ${given.length}>`;
      given.push(outcome(answer, { target, seen, body }));
      send(socket, answer, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    /** From now on requests are answered like this. */
    answerWith(next: Answer) {
      answer = next;
    },
  };
}

function send(socket: Socket, answer: Answer, body: string): void {
  const { interim, version, status, fields, framing, after, end, isSplit } = answer;
  const [length, bytes] = framings[framing](body, after);
  const lines = [`${version} ${String(status).padStart(3, '0')} Odd`, ...fields, length];
  const whole = `${interim.map((each) => `HTTP/1.1 ${each}\r\n`).join('')}${lines.join('\r\n')}\r\n\r\n${bytes}${after}`;
  const ending = () => {
    if (end === 'reset') socket.resetAndDestroy();
    else socket.end();
  };
  const rest = isSplit ? Math.floor(whole.length / 2) : 0;
  if (rest > 0) socket.write(whole.slice(0, rest), 'latin1');
  setImmediate(() =>
    socket.write(whole.slice(rest), 'latin1', () => {
      // An upstream that stays open stays silent: after the edge's limit that would be an end too.
      if (end === 'open') setTimeout(ending, 20).unref();
      else setImmediate(ending);
    }),
  );
}

/** What the RFCs allow with an answer, decided without the edge's code. */
function outcome(
  { interim, version, status, fields, framing, after }: Answer,
  { target, seen, body }: { target: string; seen: string; body: string },
): Given {
  const [, , content] = framings[framing](body, after);
  const has = (line: string) => fields.includes(line);
  const isFinal = !interim.some((each) => each.startsWith('101')) && status >= 200;
  const isHttp =
    version === 'HTTP/1.1' || (version === 'HTTP/1.0' && !/chunk|trailers/.test(framing));
  const hasBody = status !== 204 && status !== 304;
  const usable = (of: string | null) => (isFinal && isHttp ? (hasBody ? of : '') : null);
  return {
    target,
    seen,
    content: usable(content),
    parts: usable(framing === 'long length' ? body + after.slice(0, missing) : content),
    varies: has('Vary: Accept-Encoding'),
    mayStore:
      [200, 204, 404, 500].includes(status) &&
      (has('Cache-Control: max-age=60') || (status === 200 && has('ETag: "1"'))) &&
      !fields.some((line) => /private|Set-Cookie|Connection: .*(cache-control|vary)/.test(line)),
  };
}

function read(url: string, headers: OutgoingHttpHeaders): Promise<Received> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, headers }, (response) => {
      const { statusCode: status = 0, headers: fields } = response;
      const isReused = /; (hit|fwd=miss; collapsed)$/.test(String(fields['cache-status']));
      text(response).then(
        (body) => resolve({ status, body, isReused }),
        () => resolve(null),
      );
    });
    request.on('error', () => resolve(null));
  });
}

/** Whether what a client received is, or is part of, what the upstream answered to such a request. */
function isAnswered(
  received: Received,
  given: readonly Given[],
  target: string,
  seen: string,
): boolean {
  if (received === null || received.body === '') return true;
  const { status, body, isReused } = received;
  if (status >= 500 && body.startsWith('cachescope-edge:')) return true;
  return given.some(
    (each) =>
      each.target === target &&
      (status === 206 ? each.parts?.includes(body) : each.content === body) &&
      (each.seen === seen || !each.varies) &&
      (each.mayStore || !isReused),
  );
}

test.each(edgeModes)(
  '%s: a hostile upstream blocks no URL, and nothing that was not asked for is stored or delivered',
  async (mode) => {
    const upstream = await hostileUpstream();
    const edge = await startEdge({ upstream: upstream.url, mode });
    onTestFinished(() => edge.close());
    let cases = 0;
    const property = fc.asyncProperty(exchanges, async (all) => {
      const target = `/${cases++}`;
      const url = edge.url + target;
      for (const { answer, readers } of all) {
        upstream.answerWith(answer);
        const received = await Promise.all(readers.map(({ fields }) => read(url, fields)));
        for (const [place, each] of received.entries())
          expect(each).toSatisfy(() =>
            isAnswered(each, upstream.given, target, readers[place]?.seen ?? ''),
          );
      }
      upstream.answerWith(good);
      for (const { fields, seen } of requests.slice(0, 3)) {
        const last = await read(url, fields);
        expect(last).toSatisfy(() => isAnswered(last, upstream.given, target, seen));
        expect(last?.status).not.toBe(502);
      }
    });
    await fc.assert(property, { seed: 20_261_127, numRuns: propertyRuns(8) });
  },
);
