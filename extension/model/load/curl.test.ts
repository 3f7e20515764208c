import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { expect, test } from 'vitest';
import { arbitraryResource, hostileText } from '../fixtures/arbitrary-load.ts';
import { curlCommand, shellWord } from './curl.ts';
import type { Resource } from './load.ts';

const [made] = fc.sample(arbitraryResource, { numRuns: 1, seed: 1 });

function resource(change: Partial<Resource>): Resource {
  if (!made) throw new Error('no resource');
  const { requestHeaders: _sent, ...rest } = made;
  return { ...rest, url: 'https://shop.example/a', method: 'GET', ...change };
}

/** The arguments that a real shell passes to curl, for each command. */
function argumentsOf(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$#" "$@"; }\n${commands.join('\n')}\n`;
  const { stdout, status } = spawnSync('sh', { input: script, encoding: 'utf8' });
  expect(status).toBe(0);
  const words = stdout.split('\0').slice(0, -1);
  const calls: string[][] = [];
  for (let at = 0; at < words.length; at += Number(words[at]) + 1) {
    calls.push(words.slice(at + 1, at + 1 + Number(words[at])));
  }
  return calls;
}

test('the request is sent as recorded; secrets are noted and malformed fields omitted', () => {
  const curl = curlCommand(
    resource({
      method: 'POST',
      requestHeaders: [
        [':authority', 'shop.example'],
        ['Accept-Encoding', 'br, dcb'],
        ['Cookie', "a='1'; b=$(id)"],
        ['X-Empty', ''],
        // A server would wait for the body.
        ['Content-Length', '5'],
        ['@/etc/passwd', 'x'],
        ['X-Broken', 'a\r\nInjected: 1'],
      ],
    }),
  );
  expect(argumentsOf([curl?.command ?? ''])).toEqual([
    [
      ['--globoff', 'https://shop.example/a'],
      ['--request', 'POST'],
      ['--header', 'Accept-Encoding: br, dcb'],
      ['--header', "Cookie: a='1'; b=$(id)"],
      ['--header', 'X-Empty;'],
    ].flat(),
  ]);
  expect(curl?.notes).toEqual([
    'Carries cookie: do not share it.',
    '2 malformed header fields are omitted.',
    'Without the request body, which is unknown.',
  ]);
});

test('after redirects it is the last request, whose header fields are known', () => {
  const curl = curlCommand(
    resource({
      method: 'POST',
      finalUrl: 'https://other.example/b',
      requestHeaders: [['Authorization', 'of other.example']],
    }),
  );
  expect(argumentsOf([curl?.command ?? ''])).toEqual([
    ['--globoff', 'https://other.example/b', '--header', 'Authorization: of other.example'],
  ]);
  expect(curl?.notes).toEqual([
    'The last request, after redirects.',
    'Carries authorization: do not share it.',
    'The method is unknown: GET is assumed.',
  ]);
});

test('unknown parts are noted', () => {
  expect(curlCommand(resource({ method: null }))).toEqual({
    command: "curl --globoff 'https://shop.example/a'",
    notes: [
      'Without header fields: they need depth DevTools or debugger.',
      'The method is unknown: GET is assumed.',
    ],
  });
  expect(curlCommand(resource({ method: 'HEAD' }))?.command).toContain('--head');
});

test.each(['data:text/plain,x', 'blob:https://a/1', 'file:///etc/passwd', '-K /etc/passwd', ''])(
  '%s gives no curl command',
  (url) => expect(curlCommand(resource({ url }))).toBeNull(),
);

test('a real shell reads back every argument, with any content', () => {
  const words = fc.sample(
    // An argument cannot contain NUL, and a pipe cannot carry a lone surrogate.
    hostileText.map((text) => text.replaceAll('\0', '').toWellFormed()),
    { numRuns: propertyRuns(500), seed: 3 },
  );
  const commands = words.map((word) => `curl x${shellWord(word)} ${shellWord(word)}`);
  expect(argumentsOf(commands)).toEqual(words.map((word) => [`x${word}`, word]));
});

test('a real shell runs only curl, with any request', () => {
  const resources = fc.sample(arbitraryResource, { numRuns: 300, seed: 5 });
  const commands = resources.flatMap((one) => {
    const curl = curlCommand({ ...one, url: `https://a/${one.url}` });
    return curl ? [curl.command.toWellFormed()] : [];
  });
  expect(commands.length).toBeGreaterThan(200);
  const read = argumentsOf(commands);
  expect(read).toHaveLength(commands.length);
  for (const [option, url = '', ...rest] of read) {
    expect(option).toBe('--globoff');
    expect(url).toMatch(/^https:\/\/a\//);
    for (const [index, word] of rest.entries()) {
      expect(word).toMatch(/^(--head|--request|--header|[A-Z]+|[^@][^\n]*)$/);
      if (rest[index - 1] === '--header') expect(word).not.toMatch(/^@/);
    }
  }
});
