import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { KeptTrace, mostTraceBytes } from './kept-trace.ts';
import { inPieces } from './trace-fixture.ts';

async function through(kept: KeptTrace, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of kept.passedOn(pieces)) bytes += piece.byteLength;
  return bytes;
}

test('all passed chunks are kept', async () => {
  const kept = new KeptTrace();
  expect(await through(kept, inPieces('one event a line', 5))).toBe(16);
  expect(gunzipSync((await kept.gzipped()) ?? '').toString()).toBe('one event a line');
});

test('a trace that is too large is passed on, but not kept', async () => {
  const kept = new KeptTrace();
  async function* large() {
    yield new Uint8Array(mostTraceBytes);
    yield new Uint8Array(1);
  }
  expect(await through(kept, large())).toBe(mostTraceBytes + 1);
  expect(await kept.gzipped()).toBeNull();
});
