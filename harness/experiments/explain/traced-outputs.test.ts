import { expect, test } from 'vitest';
import { madeUpTraced } from '@cachescope/model/fixtures/made-up-traced.ts';
import { deviceReadsCsv, tracedCsv, tracedText } from './traced-outputs.ts';

const traced = [
  madeUpTraced('br', 0, 3, { serialReads: null, deviceReadsWhy: 'others use this device' }),
  madeUpTraced('dcb', 10, 10, { flags: ['clocks-disagree'] }),
];

test('the table fits 80 columns and shows unknown as a dash, flags with their mark', () => {
  const text = tracedText(traced);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(text).toMatch(/others +serial +bytes/);
  expect(text).toMatch(/control +Brotli +5 +2 +0 +0 +3 +– of 3 +384 KiB/);
  expect(text).toMatch(/10 ms ! +DCB +115 +12 +100 +0 +3 +10 of 10 +1\.25 MiB/);
  expect(text).toContain('! flagged: clocks-disagree');
  expect(text).toContain('– serial: others use this device');
});

test('first loads have their own table, with the steps of a network read', () => {
  const load = madeUpTraced('dcb', 5, 2, { kind: 'first load' });
  const { steps } = load;
  const known = { ...steps, network: { ms: 3 }, entryWrite: { ms: 4 }, dictionaryRead: { ms: 9 } };
  const text = tracedText([...traced, { ...load, steps: known }]);
  expect(text).toMatch(/first loads, from the network:\n.*network +write +dictionary/);
  expect(text).toMatch(/5 ms +DCB +20 +3 +4 +9 +13 +2 of 2/);
});

test('every row of the CSV has the columns of its header, and unknown cells are empty', () => {
  for (const csv of [tracedCsv(traced), deviceReadsCsv(traced)]) {
    const [header = '', ...rows] = csv.trimEnd().split('\n');
    const names = header.split(',');
    expect(new Set(names).size).toBe(names.length);
    for (const row of rows) expect(row.split(',')).toHaveLength(names.length);
  }
  const [header = '', first = '', second = ''] = tracedCsv(traced).split('\n');
  const column = header.split(',').indexOf('serial_reads');
  expect([first, second].map((row) => row.split(',')[column])).toEqual(['', '10']);
  expect(deviceReadsCsv(traced).trimEnd().split('\n')).toHaveLength(1 + 3 + 10);
});

test('reads of one cell on two machines have separate tables, and their machine and shard in the CSV', () => {
  const machines = [1, 2].map((shard) =>
    madeUpTraced('dcb', 5, 2, { machine: `m${shard}`, shard }),
  );
  expect(tracedText(machines)).toMatch(/m1, shard 1:\n[^:]*m2, shard 2:\n/);
  for (const csv of [tracedCsv(machines), deviceReadsCsv(machines)]) {
    const [header = '', ...rows] = csv.trimEnd().split('\n');
    const at = header.split(',').indexOf('machine');
    expect(
      new Set(
        rows.map((row) =>
          row
            .split(',')
            .slice(at, at + 2)
            .join(),
        ),
      ),
    ).toEqual(new Set(['m1,1', 'm2,2']));
  }
});
