import { expect, test } from 'vitest';
import { availableDictionary, dictionaryId } from './request-headers.ts';

// The example of RFC 9842 section 2.2.
const example = ':pZGm1Av0IEBKARczz7exkNYsZb8LzaMrV7J32a2fFG4=:';
const exampleHex = 'a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e';

test.each([
  ['the example of the RFC', example, exampleHex],
  ['with a parameter, which is ignored', `${example};a=1`, exampleHex],
  ['absent', undefined, null],
  ['empty', '', null],
  ['two values, joined by Node from a repeated header', `${example}, ${example}`, null],
  ['a hash of another length', ':AAAA:', null],
  ['a string', `"${exampleHex}"`, null],
  ['without colons', example.slice(1, -1), null],
  ['invalid base64', ':****:', null],
  ['without the closing colon', example.slice(0, -1), null],
])('Available-Dictionary %s', (_situation, value, hash) => {
  expect(availableDictionary(value)).toBe(hash);
});

test.each([
  ['plain', '"dictionary-1"', 'dictionary-1'],
  ['escaped', String.raw`"dictionary \"one\""`, 'dictionary "one"'],
  ['absent', undefined, null],
  ['a token', 'dictionary', null],
  ['of 1024 characters', `"${'a'.repeat(1024)}"`, 'a'.repeat(1024)],
  ['of 1025 characters', `"${'a'.repeat(1025)}"`, null],
  ['not ASCII', '"é"', null],
])('Dictionary-ID %s', (_situation, value, id) => {
  expect(dictionaryId(value)).toBe(id);
});
