import { expect, test } from 'vitest';
import { percentOption } from './measured-pair.ts';

test('a share has the decimals that an option accepts', () => {
  expect([0.07, 0.14, 0.28, 0.29, 0.55, 0.0125].map(percentOption)).toEqual([
    '7%',
    '14%',
    '28%',
    '29%',
    '55%',
    '1.25%',
  ]);
});
