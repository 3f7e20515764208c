import { expect, test } from 'vitest';
import { type ScannedTrace, type TraceEvent, TraceScanner } from './trace-scanner.ts';
import { hitEvents, traceText } from './trace-fixture.ts';

function scan(text: string, words: readonly string[], bytes = 7) {
  const told: TraceEvent[] = [];
  const scanner = new TraceScanner(words, (event) => told.push(event));
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) scanner.push(all.subarray(at, at + bytes));
  const read: ScannedTrace = scanner.end();
  return { told, read };
}

const text = traceText(hitEvents);

test('reports every wanted event, wherever the chunks are cut', () => {
  for (const bytes of [1, 13, 500, text.length]) {
    const { told, read } = scan(text, ['"cat":"netlog"'], bytes);
    expect(told).toEqual(hitEvents.filter(({ cat }) => cat === 'netlog'));
    expect(read).toEqual({
      bytes: Buffer.byteLength(text),
      events: hitEvents.length,
      brokenEvents: 0,
      isCutOff: false,
    });
  }
});

test('words are searched for within one event at a time', () => {
  const { told } = scan(text, ['BYTES_READ', 'HTTP_CACHE_GET_BACKEND']);
  const wanted = /BYTES_READ|HTTP_CACHE_GET_BACKEND/;
  expect(told).toEqual(hitEvents.filter(({ name }) => wanted.test(name)));
});

test('a trace cut off by a crash returns the events before the cut, and reports the cut', () => {
  const lines = text.split('\n');
  const whole = lines.slice(0, 12).join('\n');
  const { told, read } = scan(`${whole}\n${lines[12]?.slice(0, 30)}`, ['"cat":"']);
  expect(told).toEqual(hitEvents.slice(0, 11));
  expect(read).toMatchObject({ events: 11, brokenEvents: 0, isCutOff: true });
});

test('a broken event is counted, and later ones are parsed', () => {
  const lines = text.split('\n');
  lines[3] = '{"cat":"netlog","name":,';
  lines[4] = '{"cat":"netlog"},';
  const { told, read } = scan(lines.join('\n'), ['"cat":"netlog"']);
  expect(read).toMatchObject({ brokenEvents: 2, isCutOff: false });
  expect(told).toEqual(
    hitEvents.filter(({ cat }, index) => cat === 'netlog' && index !== 2 && index !== 3),
  );
});

test('two-byte characters and line breaks in strings survive any cut', () => {
  const event = { ...hitEvents[0], name: 'größe\n"],"' } as TraceEvent;
  expect(scan(traceText([event, event]), ['größe'], 1).told).toEqual([event, event]);
});

test('an array of events, and a trace that ends on a separate line, are complete', () => {
  const lines = hitEvents.map((event) => JSON.stringify(event)).join(',\n');
  expect(scan(`[\n${lines}\n]`, []).read).toMatchObject({
    events: hitEvents.length,
    isCutOff: false,
  });
  expect(scan(`{"traceEvents":[\n${lines}\n]}`, []).read).toMatchObject({
    events: hitEvents.length,
    isCutOff: false,
  });
});

test('an empty text has no events and is cut off', () => {
  expect(scan('', ['x']).read).toEqual({ bytes: 0, events: 0, brokenEvents: 0, isCutOff: true });
  expect(scan('<html>\n</html>\n', ['html']).read).toMatchObject({ events: 0, isCutOff: true });
});
