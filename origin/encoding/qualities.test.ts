import { expect, test } from 'vitest';
import { OriginError } from '../error.ts';
import { checkedQualities, defaultQualities } from './qualities.ts';

test('an omitted quality has its default', () => {
  expect(checkedQualities()).toEqual(defaultQualities);
  expect(checkedQualities({ dcb: 11 })).toEqual({ ...defaultQualities, dcb: 11 });
});

test('dcb below 5 is refused with the reason', () => {
  expect(() => checkedQualities({ dcb: 4 })).toThrow(/dcb is 4.*ignores the dictionary/);
});

test('all problems are reported at once', () => {
  const wanted = { gzip: 10, br: -1, zstd: 20, dcb: 12, dcz: 2.5 };
  try {
    checkedQualities(wanted);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(OriginError);
    expect(error).toMatchObject({ code: 'CS_ORIGIN_QUALITY' });
    const lines = (error as Error).message.split('\n');
    expect(lines.map((line) => line.split(';')[0])).toEqual(
      Object.entries(wanted).map(([coding, value]) => `quality of ${coding} is ${value}`),
    );
  }
});
