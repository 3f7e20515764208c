import type { DelayProof } from '@cachescope/model/run/base.ts';
import { expect, test } from 'vitest';
import { timerAnswer } from './browser-findings.ts';
import { calibrationFinding } from './delay-calibration.ts';
import { countText, examinationText } from './doctor-text.ts';
import { environmentWarnings, refusesUnder } from './environment-rule.ts';
import type { FindingStatus } from '@cachescope/model/run/machine-finding.ts';
import type { Finding } from './finding.ts';

function finding(status: FindingStatus, todo: string | null = null): Finding {
  return { id: status, status, what: `It is ${status}`, why: `Because of ${status}.`, todo };
}

function proof(requestedDelayMs: number, p50Ms: number): DelayProof {
  const fixed = {
    storage: 'dm-delay',
    when: 'before',
    reads: 16,
    off: false,
    takenAt: '',
  } as const;
  return { ...fixed, requestedDelayMs, p50Ms, p95Ms: p50Ms, throughputBytesPerSecond: null };
}

const all = (['ok', 'note', 'warning', 'refused', 'unknown'] as const).map((status) =>
  finding(
    status,
    status === 'ok' ? null : `Undo ${status}. ${'More words follow here. '.repeat(5)}`,
  ),
);
const calibration = [proof(0, 0.03), proof(10, 11), proof(50, 100)];

test('statuses are words and glyphs; without colour there is no escape code, and lines fit 80 columns', () => {
  const text = examinationText({ takenAt: '', findings: all, calibration }, { colour: false });
  expect(text).toMatch(/^✓ ok +It is ok$/m);
  expect(text).toMatch(/^! warning It is warning$/m);
  expect(text).toMatch(/^ +Because of warning\.$/m);
  expect(text).toMatch(/^ +To do: Undo refused\./m);
  // A finding in order shows no reason.
  expect(text).not.toContain('Because of ok.');
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/\u001b/);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(text.trimEnd()).toMatch(/1 ok, 1 note, 1 warning, 1 refused, 1 unknown$/);
});

test('colour only adds escape codes to the text', () => {
  const examination = { takenAt: '', findings: all, calibration };
  const coloured = examinationText(examination, { colour: true });
  // oxlint-disable-next-line no-control-regex
  const plain = coloured.replaceAll(/\u001b\[\d+m/g, '');
  expect(coloured).not.toBe(plain);
  expect(plain).toBe(examinationText(examination, { colour: false }));
});

test('a finding about a program of somebody else cannot steer the terminal', () => {
  const findings = [{ ...finding('warning', 'End \u001b[2J.'), what: 'It is \u001b]0;x\u0007' }];
  const text = examinationText({ takenAt: '', findings, calibration: [] }, { colour: false });
  expect(text).toContain(String.raw`It is \u{1b}]0;x\u{7}`);
  expect(text).toContain(String.raw`End \u{1b}[2J.`);
});

test('the calibration shows the measured delay as a bar and the requested one as a mark, on one scale', () => {
  const text = examinationText({ takenAt: '', findings: [], calibration }, { colour: false });
  const bars = text
    .split('\n')
    .filter((line) => /^ *\d+ /.test(line))
    .map((line) => line.slice(line.search(/[█|]/)).trimEnd());
  // 100 ms on 40 columns: 2.5 ms each.
  // Measured, p95 and their deviation, to a hundredth of a ms.
  expect(text).toMatch(/^requested ms +measured +p95 +off/m);
  expect(text).toMatch(/^ +10 +11\.00 +11\.00 +1\.00 /m);
  expect(bars).toEqual(['|', '████|', `${'█'.repeat(20)}|${'█'.repeat(19)}`]);
  expect(text).toMatch(/one column 2\.50 ms/);
});

test('the calibration is judged by the median deviation; 0 ms has none', () => {
  const good = [proof(0, 9), proof(1, 2), proof(10, 10.5), proof(50, 50.1)];
  expect(calibrationFinding(good)).toMatchObject({ status: 'ok', value: 0.05 });
  expect(calibrationFinding([proof(1, 7.6), proof(5, 11), proof(20, 23)])).toMatchObject({
    status: 'warning',
    what: 'Delays deviate by 120.0 %, median of 3',
  });
  expect(calibrationFinding([proof(0, 0.1)])).toMatchObject({ status: 'unknown' });
});

test('a coarse timer is a warning, an unmeasured one is unknown', () => {
  expect(timerAnswer(0.005)).toMatchObject({ status: 'ok', value: 0.005 });
  expect(timerAnswer(0.1)).toMatchObject({ status: 'warning' });
  expect(timerAnswer(0.1).what).toContain('100 µs');
  expect(timerAnswer(null)).toMatchObject({ status: 'unknown' });
});

test('a refusal ends a run only under throw; warnings are returned as sentences', () => {
  expect(refusesUnder('throw', all)).toBe(true);
  expect(refusesUnder('warn', all)).toBe(false);
  expect(refusesUnder('throw', [finding('warning'), finding('unknown')])).toBe(false);
  expect(() => environmentWarnings('throw', all)).toThrow(/It is refused: Undo refused/);
  expect(environmentWarnings('warn', all)).toEqual([
    'It is warning. Because of warning.',
    'It is refused. Because of refused.',
  ]);
  expect(environmentWarnings('skip', all)).toEqual([]);
});

test('counts list only statuses that occur', () => {
  expect(countText([finding('ok'), finding('ok'), finding('unknown')])).toBe('2 ok, 1 unknown');
});
