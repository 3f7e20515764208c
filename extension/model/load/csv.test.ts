import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryLoad, hostileText } from '../fixtures/arbitrary-load.ts';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import type { Load } from './load.ts';
import { loadCsv } from './csv.ts';

/** A parser written from RFC 4180 section 2 alone. */
function parsedCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  for (let at = 0; at < text.length;) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^",\r\n]*/y;
    quoted.lastIndex = at;
    plain.lastIndex = at;
    const found = quoted.exec(text) ?? plain.exec(text);
    const [whole = ''] = found ?? [];
    cells.push(whole.startsWith('"') ? (found?.[1] ?? '').replaceAll('""', '"') : whole);
    at += whole.length;
    if (text[at] === ',') at += 1;
    else if (text[at] === '\n') {
      lines.push(cells);
      cells = [];
      at += 1;
    } else throw new Error(`no CSV at ${at}: ${text.slice(at, at + 20)}`);
  }
  return lines;
}

function table(load: Load): Record<string, string>[] {
  const [titles = [], ...lines] = parsedCsv(loadCsv(load));
  return lines.map((cells) => {
    expect(cells).toHaveLength(titles.length);
    return Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? '']));
  });
}

test('one line per resource; 0 is 0, and unknown is an empty cell', () => {
  const load = madeUpLoad({ count: 40, state: 'warm' });
  const rows = table(load);
  expect(rows).toHaveLength(40);
  for (const [index, resource] of load.resources.entries()) {
    expect(rows[index]).toMatchObject({
      url: resource.url,
      transferred_bytes:
        resource.transferredBytes === null ? '' : String(resource.transferredBytes),
      duration_ms: String(resource.durationMs),
    });
  }
  expect(rows.some((row) => row['transferred_bytes'] === '0')).toBe(true);
  expect(rows.some((row) => row['transferred_bytes'] === '')).toBe(true);
  expect(rows.map((row) => row['source'])).toContain('disk');
});

test('no text of a page starts as a formula', () => {
  const [first, ...rest] = madeUpLoad({ count: 3 }).resources;
  const urls = ['=1+1', '+1+1', '-1-1', '@SUM(A1)', '\t=1', '＝1', '\r=1', '\n=1'];
  for (const url of urls) {
    const [row] = table({ ...madeUpLoad(), resources: first ? [{ ...first, url }, ...rest] : [] });
    expect(row?.['url']).toBe(`'${url}`);
  }
});

test('any text survives the round trip', () => {
  fc.assert(
    fc.property(arbitraryLoad, hostileText, (load, text) => {
      const resources = load.resources.map((resource) => ({ ...resource, mimeType: text }));
      const rows = table({ ...load, resources });
      expect(rows).toHaveLength(resources.length);
      for (const row of rows) expect([text, `'${text}`]).toContain(row['mime_type']);
      for (const row of rows) expect(row['mime_type']).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});
