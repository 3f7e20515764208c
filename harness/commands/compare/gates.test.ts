import type { GatedComparison } from '@cachescope/model/compare/gated.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { annotations, gatesSummary, gatesText, reportGates, requirePassed } from './gates.ts';
import { junitXml } from './junit.ts';

const side = { name: 'A', source: 'results/<A>', selection: {}, about: '' };
const run = {
  ...madeUpRun(1).run,
  experiment: 'comparison',
  plan: { against: side, of: { ...side, name: 'B', source: 'results/B' } },
} as unknown as ComparisonRun;

function gateWith(cells: GatedComparison['cells']): GatedComparison {
  const count = (wanted: string) => cells.filter(({ outcome }) => outcome === wanted).length;
  return {
    gate: { text: 'slower:5%', metric: 'readMs', direction: 'greater', limit: { share: 0.05 } },
    metric: 'readMs',
    cells,
    outcomes: { passed: count('passed'), failed: count('failed'), unknown: count('unknown') },
  };
}

const passed = { place: '0 ms, DCB', outcome: 'passed', sentence: 'The same.' } as const;
const failed = { place: '5 ms, DCB', outcome: 'failed', sentence: 'By 7 %:\nslower.' } as const;
const unknown = { place: '9 ms, <b>|', outcome: 'unknown', sentence: 'Not "known" & so.' } as const;

test('exit code 10 for a failed gate, 11 only if an undecided one is to fail', () => {
  const [all, open, good] = [[passed, failed, unknown], [passed, unknown], [passed]].map(
    (cells) => [gateWith(cells)],
  );
  if (!all || !open || !good) throw new Error('gates');
  const thrown = (gates: GatedComparison[], rule: 'pass' | 'fail'): unknown => {
    try {
      requirePassed(gates, rule);
      return null;
    } catch (error) {
      return error;
    }
  };
  expect(thrown(all, 'pass')).toMatchObject({ code: 'CS_GATE', exitCode: 10 });
  expect(thrown(all, 'fail')).toMatchObject({ code: 'CS_GATE', exitCode: 10 });
  expect(thrown(open, 'pass')).toBeNull();
  expect(thrown(open, 'fail')).toMatchObject({ code: 'CS_GATE_UNKNOWN', exitCode: 11 });
  expect(thrown(good, 'fail')).toBeNull();
});

test('a report that cannot be written is a failure that does not hide the verdict', () => {
  onTestFinished(() => {
    vi.unstubAllEnvs();
    process.exitCode = undefined;
  });
  vi.stubEnv('GITHUB_STEP_SUMMARY', '/no/such/folder/summary.md');
  const gates = [gateWith([passed])];
  reportGates(gates, run, { junit: '/no/such/folder/gates.xml', gateUnknown: 'pass' });
  expect(process.exitCode).toBe(1);
});

test('the text names every cell that did not pass', () => {
  expect(gatesText([gateWith([passed, failed, unknown])])).toBe(
    'Gate slower:5%: failed at 1 of 3, not decided at 1 of 3, passed at 1 of 3.\n' +
      '  FAILED 5 ms, DCB: By 7 %:\n  slower.\n' +
      '  UNKNOWN 9 ms, <b>|: Not "known" & so.\n',
  );
});

test('an annotation is one line, escaped as GitHub asks', () => {
  expect(annotations([gateWith([passed, failed, unknown])])).toEqual([
    '::error title=Gate slower%3A5%25::5 ms, DCB: By 7 %25:%0Aslower.',
    '::warning title=Gate slower%3A5%25::9 ms, <b>|: Not "known" & so.',
  ]);
});

test('the step summary has a row for each cell', () => {
  const text = gatesSummary([gateWith([failed, unknown])], run);
  expect(text).toContain(String.raw`A, the baseline, is A: results/\<A\>. B is B: results/B.`);
  expect(text).toContain('### Gate slower:5%: failed at 1 of 2, not decided at 1 of 2\n');
  expect(text).toContain(String.raw`| 9 ms, \<b\>\| | unknown | Not "known" \& so. |`);
});

test('JUnit: a case for each cell, an undecided one skipped or an error', () => {
  const gates = [gateWith([passed, failed, unknown])];
  const xml = junitXml(gates, run, 'pass');
  expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1" timestamp="2026-');
  expect(xml).toContain('name="5 ms, DCB"><failure message="By 7 %:\\nslower."/>');
  expect(xml).toContain(
    'name="9 ms, &lt;b&gt;|"><skipped message="Not &quot;known&quot; &amp; so."/>',
  );
  const strict = junitXml(gates, run, 'fail');
  expect(strict).toContain('errors="1" skipped="0"');
  expect(strict).toContain('<error message="Not &quot;known&quot; &amp; so."/>');
});
