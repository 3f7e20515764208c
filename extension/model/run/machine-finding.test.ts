import { expect, test } from 'vitest';
import { machineSchema } from './machine-finding.ts';

const finding = { id: 'load', status: 'ok', what: 'Load 0.1', why: 'Why.', todo: null };

test('findings survive a round trip through JSON; one without a value has none', () => {
  const findings = { before: [finding, { ...finding, value: 0 }] };
  expect(machineSchema.parse(JSON.parse(JSON.stringify(findings)))).toEqual(findings);
});

test.each([{ status: 'fine' }, { todo: undefined }, { value: Number.NaN }])(
  '%j is not a valid finding',
  (bad) => {
    expect(machineSchema.safeParse({ before: [{ ...finding, ...bad }] }).success).toBe(false);
  },
);
