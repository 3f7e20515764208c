import { expect, test } from 'vitest';
import { linkProfiles } from './link-profiles.ts';
import { readLinks } from './link-reading.ts';

function read(text: string) {
  const problems: string[] = [];
  return { links: readLinks(text, '--link', problems), problems };
}

test('a delay begins a link, and the terms after it belong to it', () => {
  const { links, problems } = read('none,20ms,50Mbit/s,queue=256KiB,loss=0.1%,5ms');
  expect(problems).toEqual([]);
  const direction = {
    delayMs: 20,
    jitterMs: 0,
    bitsPerSecond: 50e6,
    queueBytes: 262_144,
    lossShare: 0.001,
    reorderShare: 0,
  };
  expect(links).toMatchObject([
    null,
    { name: '20ms,50Mbit/s,queue=256KiB,loss=0.1%', up: direction, down: direction },
    { name: '5ms', down: { delayMs: 5, bitsPerSecond: null } },
  ]);
});

test('each direction can have its own properties', () => {
  const { links } = read('10ms,up.rate=1Mbit/s,down.delay=30ms,jitter=2ms');
  expect(links).toMatchObject([
    {
      up: { delayMs: 10, bitsPerSecond: 1e6, jitterMs: 2 },
      down: { delayMs: 30, bitsPerSecond: null },
    },
  ]);
});

test('every profile can be read, and can be changed', () => {
  for (const name of Object.keys(linkProfiles)) expect(read(name).problems).toEqual([]);
  expect(read('lighthouse-slow-4g,loss=1%').links).toMatchObject([
    {
      name: 'lighthouse-slow-4g,loss=1%',
      down: { delayMs: 75, bitsPerSecond: 1_638_400, lossShare: 0.01 },
    },
  ]);
});

test('all problems of a bad link are reported at once', () => {
  const { problems } = read('20ms,rate=0bit/s,loss=100%,queue=1B,speed=3,-5ms,jitter=30ms');
  expect(problems).toHaveLength(6);
  expect(problems.join('\n')).toMatch(
    /rate is "0bit\/s"[^]*loss is "100%"[^]*queue is "1B"[^]*speed=3 is unknown[^]*-5ms[^]*jitter/,
  );
});

test.each(['5g', '-20ms', 'constructor', '', '20', 'none,none', 'none,loss=1%', '20ms,20ms'])(
  '%j is refused',
  (text) => expect(read(text).problems.length).toBeGreaterThan(0),
);
