import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import { madeUpUse } from '@cachescope/model/fixtures/made-up-explore.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { expect, test } from 'vitest';
import {
  durationText,
  durationTooltip,
  resourceName,
  signed,
  whyUnknown,
} from './resource-text.ts';

test.each([
  ['https://a.example/', 'a.example'],
  ['https://a.example', 'a.example'],
  ['https://a.example/x/main.js?v=1', 'main.js?v=1'],
  ['https://a.example/x/', 'x/'],
  ['https://a.example/?q=a/b', '?q=a/b'],
  ['data:text/css,x', 'data:text/css,x'],
])('the name of %s is %s', (url, name) => {
  expect(resourceName(url)).toBe(name);
});

test('a change has a sign, 0 has none, and unknown is a dash', () => {
  expect([signed(1024, byteSize), signed(-10, byteSize)]).toEqual(['+1 KiB', '−10 B']);
  expect([signed(0, byteSize), signed(null, byteSize)]).toEqual(['0 B', '–']);
});

test('the reason for a hidden size is the missing Timing-Allow-Origin', () => {
  const resource = madeUpUse('http://other.example/b.js', 'hidden');
  const row = { resource, attribution: attribute(resource.evidence) };
  expect(whyUnknown(row, 'Size')).toBe('Size unknown: the response has no Timing-Allow-Origin');
  const shown = madeUpUse('http://own.example/b.js');
  expect(whyUnknown({ resource: shown, attribution: attribute(shown.evidence) }, 'Size')).toBe(
    'Size unknown: no witness reported it',
  );
});

test('only a running request is pending; another unknown duration is a dash', () => {
  const resource = { ...madeUpUse('http://own.example/b.js'), durationMs: null };
  const row = { resource, attribution: attribute(resource.evidence) };
  expect(durationText(row)).toBe('–');
  expect(durationTooltip(row)).toContain('Time unknown');
  const running = { ...row, resource: { ...resource, isRunning: true } };
  expect(durationText(running)).toBe('Pending');
  expect(durationTooltip(running)).toBe('Not finished');
});
