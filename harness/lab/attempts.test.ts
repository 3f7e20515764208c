import { ProtocolError } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { CachescopeError } from '../error.ts';
import { withFreshBrowsers } from './attempts.ts';

function failing(times: number, error: Error) {
  const said: string[] = [];
  const attempts: number[] = [];
  const result = withFreshBrowsers(
    (line) => said.push(line),
    async (attempt) => {
      attempts.push(attempt);
      if (attempt <= times) throw error;
      return 'done';
    },
  );
  return { result, said, attempts };
}

test('a browser that fails twice is replaced, and each failure is reported', async () => {
  const { result, said, attempts } = failing(2, new CachescopeError('CS_BROWSER_ANSWER', 'gone'));
  expect(await result).toBe('done');
  expect(attempts).toEqual([1, 2, 3]);
  expect(said).toEqual([
    'try 1 of 3 failed (gone); trying again with a new browser',
    'try 2 of 3 failed (gone); trying again with a new browser',
  ]);
});

test('a browser that ends during a call is replaced', async () => {
  const { result } = failing(1, new ProtocolError('Target closed'));
  expect(await result).toBe('done');
});

test('the third failure is the last', async () => {
  const { result, attempts } = failing(3, new CachescopeError('CS_TIMEOUT', 'hung'));
  await expect(result).rejects.toMatchObject({ code: 'CS_TIMEOUT' });
  expect(attempts).toHaveLength(3);
});

test('an error of the program is not retried', async () => {
  const { result, attempts } = failing(1, new Error('a page returned no times'));
  await expect(result).rejects.toThrow('no times');
  expect(attempts).toEqual([1]);
});

test.each(['CS_FILL_BODY', 'CS_BROWSER_MISSING', 'CS_PAGELOAD_FILE'] as const)(
  '%s is not retried: a fresh browser would fail in the same way',
  async (code) => {
    const { result, attempts } = failing(1, new CachescopeError(code, 'the browser timed out'));
    await expect(result).rejects.toMatchObject({ code });
    expect(attempts).toEqual([1]);
  },
);
