import { summarizeExplore } from '@cachescope/model/explore/summary.ts';
import { expect, test } from 'vitest';
import { madeUpExplore, madeUpUse } from '@cachescope/model/fixtures/made-up-explore.ts';
import { exploreCsv } from './resources-csv.ts';

const document = madeUpExplore();

test('the CSV has a line for each resource of each load, with the delay during that load', () => {
  const [head = '', ...lines] = exploreCsv(document).split('\n');
  const columns = head.split(',');
  const rows = lines
    .filter((line) => line !== '')
    .map((line) =>
      Object.fromEntries(line.split(',').map((cell, index) => [columns[index], cell])),
    );
  expect(rows).toMatchObject([
    { load: '1', load_started_at: '2026-11-20T23:00:01.000Z', delay_ms: '5', source: 'network' },
    { load: '2', delay_ms: '20', source: 'disk', url: 'http://127.0.0.1:8080/a.js' },
    { load: '2', delay_ms: '20', source: 'unknown', status: '' },
  ]);
});

test('neither a page nor an invalid time in a file can break the CSV', () => {
  const [first, second] = document.loads;
  if (!first || !second) throw new Error('the made-up run has two loads');
  const strange = { ...first, startedAt: '=1,"x"', resources: [madeUpUse('=cmd()\r\n9,9,"9')] };
  const text = exploreCsv({ run: document.run, loads: [strange] });
  expect(text).toMatch(/\n1,,,,,0,"'=cmd\(\)\r\n9,9,""9",GET,/);
});

test('an exploration without a load says so', () => {
  expect(summarizeExplore(document.run, []).finding.join()).toContain('No load was recorded');
  expect(exploreCsv({ run: document.run, loads: [] })).toMatch(
    /^load,load_started_at,delay_ms,cache_state,device_reads,sequence,.*\n$/,
  );
});
