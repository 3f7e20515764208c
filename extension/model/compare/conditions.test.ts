import { expect, test } from 'vitest';
import { explainedSweep } from '../fixtures/explain.ts';
import { conditionsOf, differencesBetween } from './conditions.ts';

const { run } = explainedSweep();

/** The run over a link, whose address is in the browser's flags. */
function over(link: string, address: string) {
  const { environment } = run;
  const flags = [`--host-resolver-rules=MAP 127.0.0.1 ${address}`];
  const chromium = { ...environment.chromium, flags };
  return conditionsOf({ ...run, environment: { ...environment, chromium, link } });
}

test('runs over different links differ in that condition; the address of a link is none', () => {
  const [one, same, other] = [
    over('20ms', '198.18.0.2'),
    over('20ms', '198.18.0.6'),
    over('5ms', '198.18.0.2'),
  ];
  expect(differencesBetween(one, same, true)).toEqual([]);
  const link = { condition: 'link', against: '20ms', of: '5ms', matters: true };
  expect(differencesBetween(one, other, true)).toEqual([link]);
  const none = { ...link, of: 'none' };
  expect(differencesBetween(one, conditionsOf(run), true)).toContainEqual(none);
});
