import { expect, test } from 'vitest';
import { validatorFrom } from './validator.ts';

const fields = (...names: string[]) => names.flatMap((name) => [name, 'any']);

test('the renderer writes If-None-Match before what the network service adds, the HTTP cache after it', () => {
  expect(validatorFrom(fields('Accept', 'If-None-Match', 'Accept-Encoding'))).toBe('renderer');
  expect(validatorFrom(fields('Accept', 'Accept-Encoding', 'If-None-Match'))).toBe('http-cache');
  expect(validatorFrom(fields('Accept', 'Accept-Encoding'))).toBeUndefined();
});
