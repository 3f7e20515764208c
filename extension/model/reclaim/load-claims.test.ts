import { expect, test } from 'vitest';
import { madeUpHistogram, madeUpReclaimWindow } from '../fixtures/reclaim.ts';
import { loadClaims } from './load-claims.ts';
import { loadReport } from './report.ts';
import type { LoadWindow } from './window.ts';

/** 100 requests a second; each second's answers take what `latencyMs` says, the last one ends that long after it was sent. */
function paceOf(seconds: number, latencyMs: (second: number) => number, isShort = false) {
  const windows = Array.from({ length: seconds }, (_, second): LoadWindow => {
    const { load } = madeUpReclaimWindow(second);
    const times = madeUpHistogram(Array.from({ length: 100 }, () => latencyMs(second)));
    const lastEndMs = second * 1000 + 990 + latencyMs(second);
    return { ...load, latency: times, service: times, lastEndMs };
  });
  const claims = loadClaims(loadReport(windows, 100 * seconds), { isShort, hasEnded: true });
  return claims.find(({ name }) => name === 'the system kept up with the load');
}

test('responses that all take the same time keep up with the load, however long that time is', () => {
  const long = paceOf(60, () => 1000);
  expect(long?.verdict).toBe('supported');
  expect(long?.evidence).toContain(
    '100 successful responses a second at 100 requests a second, not counting 1,000 ms after the last request',
  );
  expect(paceOf(1, () => 50)?.verdict).toBe('supported');
});

test('responses that take longer and longer pile up, from the start or at the end', () => {
  // 90 of 100 a second: each second another ninth of a second is added.
  const behind = (second: number) => ((second + 1) * 1000) / 9;
  expect(paceOf(60, behind)?.verdict).toBe('refuted');
  expect(paceOf(60, behind, true)?.verdict).toBe('unknown');
  expect(paceOf(60, (second) => (second < 58 ? 1000 : 4000))?.verdict).toBe('refuted');
});

test('requests that never ended leave it unknown whether something failed; a failure before that refutes it', () => {
  const { load } = madeUpReclaimWindow(0);
  const failureOf = (changes: Partial<LoadWindow>, hasEnded = true) => {
    const report = loadReport([{ ...load, ...changes }], 100);
    const claims = loadClaims(report, { isShort: false, hasEnded });
    return claims.find(({ name }) => name === 'nothing failed');
  };
  const waiting = { answered: 90, succeeded: 90, inFlight: 10 };
  expect(failureOf({})?.verdict).toBe('supported');
  expect(failureOf(waiting)).toMatchObject({ verdict: 'unknown' });
  expect(failureOf(waiting)?.evidence).toContain('10 under way');
  // The window in which the system died was not saved: none of the saved requests is under way.
  expect(failureOf({}, false)?.verdict).toBe('unknown');
  expect(failureOf({}, false)?.evidence).toContain('its last requests are unknown');
  expect(failureOf({ ...waiting, failed: 1, inFlight: 9 }, false)?.verdict).toBe('refuted');
});
