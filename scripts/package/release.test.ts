import { expect, test } from 'vitest';
import { checksums, notesOf } from './release.ts';

test('the notes of a version are its section of the changelog', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n\n- New\n\n## [0.1.0]\n';
  expect(notesOf('0.2.0', changelog)).toBe('## [0.2.0] - 2026-11-23\n\n- New\n\n');
  expect(notesOf('0.3.0', changelog)).toBeNull();
});

test('checksums equal those of sha256sum', () => {
  // FIPS 180-2, example B.1: "abc".
  expect(checksums({ 'a.txt': Buffer.from('abc') })).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n',
  );
});
