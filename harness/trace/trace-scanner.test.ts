import { expect, test } from 'vitest';
import type { TraceEvent } from './trace-event.ts';
import { hitEvents, traceText } from './trace-fixture.ts';
import { type ScannedTrace, TraceScanner } from './trace-scanner.ts';

function scan(text: string, words: readonly string[], bytes = 7) {
  const told: TraceEvent[] = [];
  const scanner = new TraceScanner(words, (event) => told.push(event));
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) scanner.push(all.subarray(at, at + bytes));
  const read: ScannedTrace = scanner.end();
  return { told, read };
}

const text = traceText(hitEvents);

test('tells every wanted event, wherever the pieces are cut', () => {
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

test('words are looked for in one event at a time', () => {
  const { told } = scan(text, ['BYTES_READ', 'HTTP_CACHE_GET_BACKEND']);
  const wanted = /BYTES_READ|HTTP_CACHE_GET_BACKEND/;
  expect(told).toEqual(hitEvents.filter(({ name }) => wanted.test(name)));
});

test('a trace that a crash cut off gives what stands before the cut, and says so', () => {
  const lines = text.split('\n');
  const whole = lines.slice(0, 12).join('\n');
  const { told, read } = scan(`${whole}\n${lines[12]?.slice(0, 30)}`, ['"cat":"']);
  expect(told).toEqual(hitEvents.slice(0, 11));
  expect(read).toMatchObject({ events: 11, brokenEvents: 0, isCutOff: true });
});

test('a broken event is counted, and the ones behind it are read', () => {
  const lines = text.split('\n');
  lines[3] = '{"cat":"netlog","name":,';
  lines[4] = '{"cat":"netlog"},';
  const { told, read } = scan(lines.join('\n'), ['"cat":"netlog"']);
  expect(read).toMatchObject({ brokenEvents: 2, isCutOff: false });
  expect(told).toEqual(
    hitEvents.filter(({ cat }, index) => cat === 'netlog' && index !== 2 && index !== 3),
  );
});

test('letters of two bytes and line breaks in strings survive any cut', () => {
  const event = { ...hitEvents[0], name: 'größe\n"],"' } as TraceEvent;
  expect(scan(traceText([event, event]), ['größe'], 1).told).toEqual([event, event]);
});

test('an array of events, and a trace that ends in a line of its own, are whole', () => {
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

test('no trace at all has no events and is cut off', () => {
  expect(scan('', ['x']).read).toEqual({ bytes: 0, events: 0, brokenEvents: 0, isCutOff: true });
  expect(scan('<html>\n</html>\n', ['html']).read).toMatchObject({ events: 0, isCutOff: true });
});
