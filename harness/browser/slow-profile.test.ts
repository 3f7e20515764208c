import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { slowParts, type SlowPart } from '@cachescope/model/sweep/run.ts';
import { makeSlowProfile } from './slow-profile.ts';

let root = '';
let places = { diskDirectory: '', workDirectory: '' };
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'profile-test-')));
  places = { diskDirectory: join(root, 'disk'), workDirectory: join(root, 'work') };
  for (const path of Object.values(places)) mkdirSync(path);
});
afterEach(() => rmSync(root, { recursive: true }));

const choices: SlowPart[][] = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
  slowParts.filter((_, index) => bits & (1 << index)),
);

test.each(choices.map((choice) => [choice]))(
  '%j are stored on the disk, and nothing else is',
  async (slow) => {
    const made = await makeSlowProfile(slow, places);
    const partOf = {
      cache: made.cacheDirectory,
      profile: made.profileDirectory,
      dictionaries: made.dictionaryDirectory,
    };
    for (const part of slowParts) {
      const place = slow.includes(part) ? places.diskDirectory : places.workDirectory;
      // Chromium creates the store unless it is linked.
      if (part !== 'dictionaries') expect(lstatSync(partOf[part]).isDirectory()).toBe(true);
      expect(partOf[part].startsWith(`${place}/`)).toBe(true);
    }
    const store = join(made.profileDirectory, 'Default', 'Shared Dictionary');
    const isLinked = slow.includes('dictionaries') !== slow.includes('profile');
    if (isLinked) expect(realpathSync(store)).toBe(made.dictionaryDirectory);
    else expect(store).toBe(made.dictionaryDirectory);
  },
);
