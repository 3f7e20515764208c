import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readProfile, shippedProfiles } from './profile-reading.ts';

function read(text: string) {
  const problems: string[] = [];
  return { profile: readProfile(text, problems), problems };
}

function fileWith(content: unknown): string {
  const directory = mkdtempSync(join(tmpdir(), 'profile-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'profile.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test('a shipped disk has a name for the command line, a source and a latency', () => {
  expect(read('hard-disk').profile).toMatchObject({
    source: expect.stringContaining('Seagate'),
    read: { kind: 'constant', ms: 12.66 },
  });
  for (const { name, source } of shippedProfiles) {
    expect(name).toMatch(/^[a-z0-9.-]+$/);
    expect(source).not.toBe('');
  }
});

test('a file is parsed, and every rule that it breaks is reported', () => {
  const whole = {
    name: 'mine',
    source: 'fio',
    read: { kind: 'lognormal', medianMs: 0.1, sigma: 0.5 },
    stalls: { read: { kind: 'constant', ms: 20 }, begin: 0.01, end: 0.2 },
  };
  expect(read(fileWith(whole))).toEqual({ profile: whole, problems: [] });
  const broken = read(fileWith({ ...whole, source: '', bandwidthBytesPerSecond: 1 }));
  expect(broken.profile).toBeUndefined();
  expect(broken.problems).toEqual([
    expect.stringMatching(/: source: /),
    expect.stringMatching(/: bandwidthBytesPerSecond: /),
  ]);
  const { problems } = read(fileWith({ ...whole, bandwidthBytesPerSecond: 1e300 }));
  expect(problems).toEqual([expect.stringMatching(/: bandwidthBytesPerSecond: /)]);
});

test('a text that is neither a name nor a file is reported with the known names', () => {
  expect(read('floppy').problems).toEqual([
    expect.stringMatching(/^--profile is not a file .*none of nvme-ssd, .*hard-disk$/),
  ]);
});

test('an endless or waiting file is refused by its kind', () => {
  const fifo = fileWith('').replace('profile.json', 'fifo');
  execFileSync('mkfifo', [fifo]);
  expect(read(fifo).problems).toEqual([expect.stringContaining('is a FIFO')]);
  expect(read('/dev/zero').problems).toEqual([expect.stringContaining('is a device')]);
});
