import { expect, test } from 'vitest';
import { type Column, tableOf } from './table.ts';

interface Row {
  group: string;
  side: string;
  size: number;
  ms: number | null;
  verdict?: string;
}

const columns: Column<Row>[] = [
  { key: 'group', value: ({ group }) => group, in: ['csv'] },
  { key: 'side', value: ({ side }) => side, in: ['csv'] },
  { key: 'size', value: ({ size }) => size, unit: 'B', kind: 'name' },
  {
    key: 'median_ms',
    title: 'time',
    value: ({ ms }) => ms,
    unit: 'ms',
    interval: ({ ms }) => (ms === null ? null : { low: ms - 1, high: ms + 1 }),
  },
  { key: 'verdict', value: ({ verdict }) => verdict, note: () => 'why' },
];
const rows: Row[] = [
  { group: 'g', side: 'a', size: 1024, ms: 1.5 },
  { group: 'g', side: 'b', size: 1024, ms: null, verdict: 'SAME' },
  { group: 'h', side: 'a', size: 2048, ms: 3 },
];
const group = ({ group: title }: Row) => ({ title });

test('a CSV file has all rows, the ends of intervals, and empty fields for unknown', () => {
  expect(tableOf({ columns, rows, group, file: 'a.csv' }).csv()).toEqual({
    name: 'a.csv',
    content: [
      'group,side,size,median_ms,median_low_ms,median_high_ms,verdict',
      'g,a,1024,1.5,0.5,2.5,',
      'g,b,1024,,,,SAME',
      'h,a,2048,3,2,4,',
      '',
    ].join('\n'),
  });
  expect(tableOf({ columns, rows, group }).csv()).toBeNull();
});

test('rows with equal headings share a table, and unknown is a dash', () => {
  const tables = tableOf({ columns, rows, group, below: (own) => [`${own.length}`] }).shown('text');
  expect(tables.map(({ title, below }) => [title, below])).toEqual([
    ['g', ['2']],
    ['h', ['1']],
  ]);
  expect(tables[0]?.rows[1]).toEqual([
    { text: '1 KiB' },
    { text: '–' },
    { text: 'SAME', note: 'why' },
  ]);
});

test('sides stand beside each other; a column that applies to no row of a side is left out there', () => {
  const table = tableOf({ columns, rows, group, across: ({ side }) => side });
  const [first, second] = table.shown('html');
  expect(first?.across).toEqual([
    ['', 1],
    ['a', 1],
    ['b', 2],
  ]);
  expect(first?.head.map(({ title }) => title)).toEqual(['size', 'time', 'time', 'verdict']);
  expect(first?.rows).toEqual([
    [
      { text: '1 KiB' },
      { text: '1.5 ms', interval: '0.5 to 2.5 ms' },
      { text: '–' },
      { text: 'SAME', note: 'why' },
    ],
  ]);
  expect(second?.rows).toHaveLength(1);
});

test('report.txt has what stdout has and more, and rows may depend on the form', () => {
  const further = { group: 'g', side: 'c', size: 1, ms: 1 };
  const table = tableOf({
    columns,
    rows: (form) => (form === 'report' ? [...rows, further] : rows),
    group: () => ({ title: 'all' }),
    file: 'a.csv',
    in: ['text'],
  });
  const lengths = (['html', 'text', 'report'] as const).map((form) =>
    table.shown(form).map((shown) => shown.rows.length),
  );
  expect(lengths).toEqual([[], [3], [4]]);
  expect(table.csv()?.content.split('\n')).toHaveLength(5);
});
