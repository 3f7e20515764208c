import { madeUpBase } from '@cachescope/model/fixtures/made-up-base.ts';
import type { Page } from '@cachescope/model/page/page.ts';
import { tableOf } from '@cachescope/model/page/table.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { expect, test } from 'vitest';
import { screenText } from './screen.ts';

const run = madeUpBase();
const good: Trust = { grade: 'good', reasons: [], inconclusive: null };

interface Row {
  delay: string;
  side: string;
  ms: number;
}

function pageOf(delays: number, changed: Partial<Page> = {}): Page {
  const rows = Array.from({ length: delays }, (_, at) =>
    ['a', 'b'].map((side): Row => ({ delay: `${at} ms`, side, ms: 10 })),
  ).flat();
  const table = tableOf<Row>({
    columns: [
      { key: 'delay', value: ({ delay }) => delay, kind: 'name' },
      { key: 'side', value: ({ side }) => side, kind: 'name' },
      { key: 'ms', value: ({ ms }) => ms, interval: ({ ms }) => ({ low: ms - 1, high: ms + 2 }) },
    ],
    rows,
    group: () => ({ title: 'Reads' }),
  });
  return {
    title: 'A run',
    facts: ['3 launches'],
    headline: 'A is faster',
    finding: ['A is faster by 3 ms.', 'This holds on any machine.'],
    sections: [{ tables: [table] }],
    ...changed,
  };
}

const linesOf = (page: Page, trust = good, columns?: number) =>
  screenText(page, run, trust, columns).trimEnd().split('\n');

test('a screen begins with the answer, and is never higher than 24 lines', () => {
  for (const delays of [1, 5, 12, 400]) {
    const lines = linesOf(pageOf(delays));
    expect(lines[0]).toBe('A is faster');
    expect(lines.length).toBeLessThanOrEqual(24);
  }
});

test('rows are left out evenly, first and last delay are kept whole, and the text counts them', () => {
  const lines = linesOf(pageOf(40));
  const shown = lines.filter((line) => line.endsWith('±20 %'));
  expect(lines.at(-1)).toBe(`  ${shown.length} of 80 rows; --verbose shows all`);
  expect(shown.length % 2).toBe(0);
  expect(shown[0]).toMatch(/^0 ms +a /);
  expect(shown.at(-2)).toMatch(/^39 ms +a /);
  expect(linesOf(pageOf(2)).join('\n')).not.toContain('rows; ');
});

test('a table that does not fit loses its intervals, then the ends of its names', () => {
  const name = 'x'.repeat(60);
  const wide = tableOf<{ name: string }>({
    columns: [
      { key: 'name', value: (row) => row.name, kind: 'name' },
      { key: 'ms', value: () => 10, interval: () => ({ low: 9, high: 11 }) },
    ],
    rows: [{ name }],
    group: () => ({ title: '' }),
  });
  const page = pageOf(1, { sections: [{ tables: [wide] }] });
  expect(linesOf(page).at(-1)).toBe(`${name}  10 ±10 %`);
  expect(linesOf(page, good, 66).at(-1)).toBe(`${name}  10`);
  expect(linesOf(page, good, 50).at(-1)).toMatch(/^x+… +10$/);
});

test('a poor run shows why it has no verdict, and what holds on any machine', () => {
  const poor: Trust = { grade: 'poor', reasons: [], inconclusive: 'the machine was busy' };
  const finding = ['Inconclusive: the machine was busy.', 'Failing reads are flagged.'];
  const lines = linesOf(pageOf(1, { finding }), poor);
  expect(lines[0]).toBe(finding[0]);
  expect(lines).toContain(finding[1]);
  expect(lines.join('\n')).not.toContain('A is faster');
});

test('text of a page starts no line of its own, and a quantity is not torn', () => {
  const facts = ['one\n::error::two', `${'word '.repeat(12)}takes 43.6 ms more (p < 0.001)`];
  const lines = linesOf(pageOf(1, { facts }));
  expect(lines.join('\n')).toContain(String.raw`one\n::error::two`);
  for (const line of lines) expect(line).not.toMatch(/(?:43\.6|p|<)$/);
});

test('a table of a thousand rows is fitted to the screen in a few steps', () => {
  let steps = 0;
  const page = pageOf(500);
  const [table] = page.sections[0]?.tables ?? [];
  if (!table) throw new Error('the page has a table');
  const counted = (form: Parameters<typeof table.shown>[0]) =>
    table.shown(form).map((shown) => ({
      ...shown,
      get head() {
        steps++;
        return shown.head;
      },
    }));
  const lines = linesOf({ ...page, sections: [{ tables: [{ ...table, shown: counted }] }] });
  expect(lines).toEqual(linesOf(page));
  expect(steps).toBeLessThan(30);
});
