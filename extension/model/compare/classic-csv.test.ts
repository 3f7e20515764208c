import { expect, test } from 'vitest';
import { readClassicCsv } from './classic-csv.ts';

const header = 'Delay_ms,Throughput,DCB_Read_ms,Brotli_Read_ms,Gap_ms';
const read = (...lines: string[]) => readClassicCsv({ name: 'x.csv', text: lines.join('\n') });

test('each value is a group of one reading with an unknown launch', () => {
  const table = read(
    header,
    '0 (control),668 MB/s,4.24,6.53,-2.29',
    '7 (delay off: 9.32),,90,,',
    '',
  );
  expect(table).toEqual({
    value: [
      ['control', 'br', 6.53, null],
      ['control', 'dcb', 4.24, null],
      ['7 ms', 'dcb', 90, 9.32],
    ].map(([delay, arm, value, measuredDelayMs]) => ({
      factors: { delay, arm },
      readings: [{ value, launch: null }],
      flagged: 0,
      measuredDelayMs,
    })),
  });
});

test('a table with variants has one more column', () => {
  const table = read(`${header},Variant`, '1,1 GB/s,2,3,-1,disk-cache=sql');
  expect(table).toMatchObject({ value: [{ factors: { variant: 'disk-cache=sql' } }, {}] });
});

test('a table of several workloads has a column for their names, quoted where needed', () => {
  const table = read(
    `${header},Workload,Delay_off_ms,DCB_Recompressed_Read_ms`,
    '5,"1,000 MB/s",90,80,10,"my ""a,b"".js",,70',
  );
  const groups = 'value' in table ? table.value : [];
  const workload = 'my "a,b".js';
  expect(groups.map(({ factors }) => JSON.stringify(factors))).toEqual(
    [
      { delay: '5 ms', arm: 'br', workload },
      { delay: '5 ms', arm: 'dcb', workload },
      { delay: '5 ms', arm: 'dcb', variant: 'recompressed', workload },
    ].map((factors) => JSON.stringify(factors)),
  );
});

test('recompressed DCB is a variant of DCB', () => {
  const table = read(
    `${header},Delay_off_ms,DCB_Recompressed_Read_ms`,
    '7,,90,80,10,9.32,70',
    '8,,90,80,10,,',
  );
  const groups = 'value' in table ? table.value : [];
  expect(groups.map(({ factors, readings }) => [factors, readings[0]?.value])).toEqual([
    [{ delay: '7 ms', arm: 'br' }, 80],
    [{ delay: '7 ms', arm: 'dcb' }, 90],
    [{ delay: '7 ms', arm: 'dcb', variant: 'recompressed' }, 70],
    [{ delay: '8 ms', arm: 'br' }, 80],
    [{ delay: '8 ms', arm: 'dcb' }, 90],
  ]);
});

test.each([
  ['an empty file', [''], 'begins with ""'],
  ['another table', ['a,b,c', '1,2,3'], 'a classic table begins with Delay_ms'],
  ['no lines', [header, ''], 'no row below its header'],
  ['too few values', [header, '1,2,3'], 'x.csv line 2 has 3 values; it must have 5'],
  ['an open quote', [header, '1,"1,2,3,4'], 'has a quote that is not closed'],
  ['no delay', [header, 'soon,1,2,3,4'], '"soon" is not a delay'],
  ['a negative time', [header, '1,1,-2,3,4'], 'DCB_Read_ms is "-2"; a time is a number, 0 or more'],
  ['no number', [header, '1,1,2,NaN,4'], 'Brotli_Read_ms is "NaN"'],
  ['infinity', [header, '1,1,2,Infinity,4'], 'Brotli_Read_ms is "Infinity"'],
])('%s is a problem', (_, lines, says) => {
  const found = read(...lines);
  expect('problems' in found && found.problems.join()).toContain(says);
});

test.each([
  ['', ['7,,90,80,10,9.32', '8,,90,80,10,']],
  [',Variant', ['7,,90,80,10,one,9.32', '8,,90,80,10,one,']],
])('a table with%s a column for the measured delay where it was off', (more, rows) => {
  const table = read(`${header}${more},Delay_off_ms`, ...rows);
  const groups = 'value' in table ? table.value : [];
  expect(groups.map(({ factors, measuredDelayMs }) => [factors['delay'], measuredDelayMs])).toEqual(
    [
      ['7 ms', 9.32],
      ['7 ms', 9.32],
      ['8 ms', null],
      ['8 ms', null],
    ],
  );
});
