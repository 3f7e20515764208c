import { expect, test } from 'vitest';
import { machineSchema } from './machine-finding.ts';

const finding = { id: 'load', status: 'ok', what: 'Load 0.1', why: 'Why.', todo: null };

test('findings come back from JSON as they were; one without a figure has none', () => {
  const findings = { before: [finding, { ...finding, value: 0 }] };
  expect(machineSchema.parse(JSON.parse(JSON.stringify(findings)))).toEqual(findings);
});

test.each([{ status: 'fine' }, { todo: undefined }, { value: Number.NaN }])(
  '%j is no finding',
  (bad) => {
    expect(machineSchema.safeParse({ before: [{ ...finding, ...bad }] }).success).toBe(false);
  },
);
