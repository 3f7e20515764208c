import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { journalDirectory, makeStateDirectory } from '../storage/journal/state-directory.ts';
import { clean } from './clean.ts';

test('an entry that the machine does not confirm is named, is not called nothing, and stays', async () => {
  const state = realpathSync(mkdtempSync(join(tmpdir(), 'clean-test-')));
  vi.stubEnv('XDG_STATE_HOME', state);
  const said: string[] = [];
  const keep = (text: string | Uint8Array) => said.push(String(text)) > 0;
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  onTestFinished(() => {
    out.mockRestore();
    err.mockRestore();
    vi.unstubAllEnvs();
    rmSync(state, { recursive: true });
  });
  const head = { owner: { pid: 4_194_304, startTime: 1 }, startedAt: 'x', standing: null };
  const make = { kind: 'directory', path: join(state, 'cachescope') };
  const lines = [{ head }, { number: 0, make }].map((line) => `${JSON.stringify(line)}\n`);
  makeStateDirectory(journalDirectory());
  writeFileSync(join(journalDirectory(), 'forged.ndjson'), lines.join(''), { mode: 0o600 });
  for (const dryRun of [true, false]) expect(await clean({ dryRun })).toBe(5);
  expect(said.join('')).toContain('CS_JOURNAL: an entry is not acted on: ');
  expect(said.join('')).not.toContain('Nothing was left behind');
  expect(said.join('')).not.toContain('rm -r');
  expect(existsSync(make.path)).toBe(true);
});
