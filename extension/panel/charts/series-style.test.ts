import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { expect, test } from 'vitest';
import { plainSides, seriesStyle, sideStyles } from './series-style.ts';

const { run, samples } = madeUpRun(2);
const summary = summarize(run, samples);
const [br, dcb] = summary.fits.map((fit) => seriesStyle(summary, fit));

test('an arm has the same colour in every chart, on either side of a comparison', () => {
  expect(br?.token).not.toBe(dcb?.token);
  expect(sideStyles({ arm: 'br' }, { arm: 'dcb' })).toEqual([br, dcb]);
  expect(sideStyles({ arm: 'dcb' }, { arm: 'br' })).toEqual([dcb, br]);
});

test('the same arm on both sides keeps its colour; marker and line differ', () => {
  const [against, of] = sideStyles({ arm: 'dcb', delay: '1 ms' }, { arm: 'dcb', delay: '2 ms' });
  expect([against.token, of.token]).toEqual([dcb?.token, dcb?.token]);
  expect(against.marker).not.toBe(of.marker);
  expect(against.dash).not.toEqual(of.dash);
});

test('variants of several arms have the colour of their arm and differ by the line', () => {
  const varied = madeUpRun(2, [
    { name: 'one', slowerBy: 0 },
    { name: 'two', slowerBy: 0.1 },
  ]);
  const summary = summarize(varied.run, varied.samples);
  const styles = summary.fits.map((fit) => ({ ...fit, ...seriesStyle(summary, fit) }));
  expect(new Set(styles.map(({ arm, token }) => `${arm} ${token}`)).size).toBe(2);
  expect(new Set(styles.map(({ variant, dash }) => `${variant} ${dash.join()}`)).size).toBe(2);

  const fits = summary.fits.filter(({ arm }) => arm === 'br');
  const alone = fits.map((fit) => seriesStyle({ fits }, fit));
  expect(new Set(alone.map(({ token }) => token)).size).toBe(2);
  expect(sideStyles({ variant: 'two' }, { variant: 'one' }, ['one', 'two'])).toEqual(
    alone.toReversed(),
  );
});

test('sides that are not arms have the default looks', () => {
  expect(sideStyles({}, {})).toBe(plainSides);
});
