import { expect, test } from 'vitest';
import type { OptionTexts } from '../../options/option-table.ts';
import { pageloadOptions } from './options.ts';

const problemsOf = (texts: OptionTexts) => pageloadOptions.read(texts).problems;

test('a sample with the default options takes every load of both arms, six times', () => {
  const { asked, problems } = pageloadOptions.read({ sample: 'news' });
  expect(problems).toEqual([]);
  expect(asked.page).toEqual({ from: 'sample', name: 'news' });
  expect(asked.plan).toMatchObject({
    states: ['empty', 'warm', 'relaunched', 'cold'],
    arms: ['plain', 'dictionary'],
    delaysMs: [],
    passes: 6,
    margin: 0.02,
  });
});

test.each([
  ['no page', {}, /one of --har FILE.*; 0 are named/],
  ['two pages', { har: 'a', list: 'b' }, /2 are named/],
  ['an unknown sample', { sample: 'blog' }, /--sample is "blog"; known are news, app/],
  [
    'another machine',
    { url: 'http://example.com/' },
    /example\.com is not this machine; --external/,
  ],
  ['no URL', { url: 'page.html' }, /not an http: or https: URL/],
  ['a file URL', { url: 'file:///etc/passwd' }, /not an http: or https: URL/],
  ['external without URL', { sample: 'app', external: true }, /--external needs --url/],
  ['bodies of a list', { list: 'a', bodies: 'recorded' }, /a list has no bodies/],
  ['a folder that is not there', { sample: 'app', saveHar: '/no/such/a.har' }, /is not there/],
  ['a file that is there', { sample: 'app', saveHar: '/proc/version' }, /exists; no file/],
  ['a copy of an archive', { har: 'a', saveHar: 'new.har' }, /would hold its cookies/],
  ['an archive of a list', { list: 'a', saveHar: 'new.har' }, /a list has no archive/],
  ['a negative delay', { sample: 'app', delay: '-5' }, /--delay is "-5"/],
  ['a negative wait', { sample: 'app', serverDelay: '-1' }, /--server-delay is "-1"/],
  ['no launch', { sample: 'app', launches: '0' }, /--launches is "0"/],
  [
    'a delay without slow storage',
    { sample: 'app', delay: '5', storage: 'none' },
    /--storage none has none/,
  ],
])('%s is rejected', (_what, raw, message) => {
  const [problem = '', ...others] = problemsOf(raw);
  expect(problem).toMatch(message);
  expect(others).toEqual([]);
});

test.each(['http://127.0.0.1:8000/', 'http://localhost/', 'https://[::1]:1/a'])(
  '%s is accepted as this machine',
  (url) => {
    expect(problemsOf({ url })).toEqual([]);
  },
);

test('another machine is recorded when that is allowed', () => {
  expect(problemsOf({ url: 'https://example.com/', external: true })).toEqual([]);
});
