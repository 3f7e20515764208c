import { expect, test } from 'vitest';
import { type OriginFlags, readCommandLine } from './command-line.ts';

const defaults: OriginFlags = { host: '127.0.0.1', port: '8042' };

test('without flags all real workloads are served on the default port', () => {
  expect(readCommandLine(defaults)).toEqual({
    host: '127.0.0.1',
    port: 8042,
    qualities: {},
    workload: null,
  });
});

test('qualities reach their codings', () => {
  const flags = { ...defaults, brotliQuality: '11', dcbQuality: '9', gzipQuality: '1' };
  expect(readCommandLine(flags).qualities).toEqual({ br: 11, dcb: 9, gzip: 1 });
});

test('an own pair takes the place of the catalog', () => {
  const flags = { ...defaults, dictionary: 'old.js', resource: 'new.js' };
  expect(readCommandLine(flags).workload).toEqual({ dictionary: 'old.js', resource: 'new.js' });
});

test('all that is wrong is told at once', () => {
  const flags = {
    ...defaults,
    port: '65536',
    workload: 'nope',
    resource: 'new.js',
    brotliQuality: 'abc',
    dcbQuality: '4',
  };
  for (const part of [
    /--port is "65536"/,
    /--workload "nope" is not known; known are pdfjs, three/,
    /go together/,
    /exclude each other/,
    /quality of br is abc/,
    /quality of dcb is 4.*ignores the dictionary/,
  ]) {
    expect(() => readCommandLine(flags)).toThrow(part);
  }
});
