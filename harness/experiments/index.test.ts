import { expect, test } from 'vitest';
import { experiments } from './index.ts';

test('every experiment has a command with its name', async () => {
  const names = Object.keys(experiments);
  expect(names).toContain('explain');
  expect(names).not.toContain('comparison');
  for (const name of names)
    expect((await (await experiments[name]?.())?.command())?.name()).toBe(name);
});
