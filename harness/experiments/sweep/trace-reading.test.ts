import { expect, test } from 'vitest';
import { readTraces } from './trace-reading.ts';

test('nothing is traced unless it is asked for', () => {
  expect(readTraces({}, [])).toBeUndefined();
  expect(readTraces({ trace: false }, [])).toBeUndefined();
});

test('the witness of system calls asks for a trace', () => {
  expect(readTraces({ trace: true }, [])).toEqual({ syscalls: false });
  expect(readTraces({ witness: 'syscalls' }, [])).toEqual({ syscalls: true });
});

test('another witness is refused by name', () => {
  const problems: string[] = [];
  readTraces({ witness: 'ebpf' }, problems);
  expect(problems).toEqual(['--witness "ebpf" is not known; known is syscalls']);
});
