import { expect, test } from 'vitest';
import { readTraces } from './trace-reading.ts';

test('nothing is traced by default', () => {
  expect(readTraces({}, [])).toBeUndefined();
  expect(readTraces({ trace: false }, [])).toBeUndefined();
});

test('--witness syscalls implies a trace', () => {
  expect(readTraces({ trace: true }, [])).toEqual({ syscalls: false });
  expect(readTraces({ witness: 'syscalls' }, [])).toEqual({ syscalls: true });
});

test('an unknown witness is rejected by name', () => {
  const problems: string[] = [];
  readTraces({ witness: 'ebpf' }, problems);
  expect(problems).toEqual(['--witness "ebpf" is not known; known is syscalls']);
});
