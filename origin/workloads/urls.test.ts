import { codings } from '@cachescope/model/coding.ts';
import { expect, test } from 'vitest';
import {
  dictionaryPath,
  firstLoadPath,
  matchPattern,
  pagePath,
  probePath,
  resourcePath,
  warmUpPath,
} from './urls.ts';

const origin = 'http://127.0.0.1:8042';

test.each(['pdfjs', 'synthetic:10KiB', 'own'])(
  'the dictionary of %s matches its resource',
  (name) => {
    const pattern = new URLPattern(matchPattern(name), origin + dictionaryPath(name));
    const matches = (path: string) => pattern.test(new URL(path, origin).href);
    expect(pattern.hasRegExpGroups).toBe(false);
    expect(matches(resourcePath(name))).toBe(true);
    expect(codings.every((coding) => matches(resourcePath(name, coding)))).toBe(true);
    expect(matches(probePath(name, 3))).toBe(true);
    expect(matches(`${resourcePath(name)}?read=1`)).toBe(true);
    expect(matches(firstLoadPath(name, 'dcb', 1))).toBe(true);
    expect(matches(firstLoadPath(name, 'br', 1))).toBe(false);
  },
);

test.each([dictionaryPath('pdfjs'), resourcePath('three'), pagePath, warmUpPath, '/'])(
  'the dictionary of pdfjs does not match %s',
  (path) => {
    const pattern = new URLPattern(matchPattern('pdfjs'), origin + dictionaryPath('pdfjs'));
    expect(pattern.test(origin + path)).toBe(false);
  },
);

test('the dictionary matches only this origin', () => {
  const pattern = new URLPattern(matchPattern('pdfjs'), origin + dictionaryPath('pdfjs'));
  expect(pattern.test(`http://localhost:8042${resourcePath('pdfjs')}`)).toBe(false);
});
