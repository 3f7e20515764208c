import { expect, test } from 'vitest';
import { csvRows, csvText } from './csv.ts';

test('cells are quoted where needed, and unknown values are empty', () => {
  const rows = [['a,b', 'say "x"', 'two\nlines', 0, null, undefined, true]];
  expect(csvText(['h'], rows)).toBe('h\n"a,b","say ""x""","two\nlines",0,,,true\n');
});

test.each(['=HYPERLINK("http://x")', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])(
  'a spreadsheet does not run %j',
  (text) => {
    const [, line = ''] = csvText(['h'], [[text]]).split('h\n');
    expect(line.startsWith(`"'${text[0]}`)).toBe(true);
  },
);

test('a number stays a number, also as text', () => {
  expect(csvText(['h'], [[-1.5, '-12.50', '+3', '1e-7']])).toBe('h\n-1.5,-12.50,+3,1e-7\n');
});

test('what is written is read again', () => {
  const rows = [
    ['a,b', 'say "x"', 'two\nlines', ''],
    ['', '""', 'x\r\n', ','],
  ];
  const head = ['h', '2', '3', '4'];
  expect(csvRows(csvText(head, rows))).toEqual([head, ...rows]);
  expect(csvRows('h\r\nx\r\n')).toEqual([['h'], ['x']]);
});

test.each<[text: string, rows: string[][] | null]>([
  ['', []],
  ['a', [['a']]],
  ['a,', [['a', '']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['"a', null],
  ['"a"b', null],
  ['a"b"', null],
])('CSV: %j', (text, rows) => {
  expect(csvRows(text)).toEqual(rows);
});

test('a long cell with a quote that is not closed takes no long time', () => {
  const long = 'x'.repeat(1e6);
  expect(csvRows(`"${long}`)).toBeNull();
  expect(csvRows(`"${long}"`)).toEqual([[long]]);
});
