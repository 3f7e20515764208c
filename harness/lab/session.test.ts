import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { Journal } from '../storage/journal/journal.ts';
import { stopAtOnce } from './session.ts';

// A separate state directory: no other journal is touched.
const base = mkdtempSync(join(tmpdir(), 'cachescope-session-test-'));
vi.stubEnv('XDG_STATE_HOME', base);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

test('what is left on the machine is listed even where run.json cannot be updated', () => {
  const journal = Journal.begin();
  const path = join(base, 'cachescope-disk-00000000');
  mkdirSync(path);
  journal.record({ kind: 'directory', path });
  const said: string[] = [];
  const markStopped = () => {
    throw new Error('no space left on device');
  };
  stopAtOnce({ path: '/run', markStopped }, (line) => said.push(line));
  journal.end();
  expect(said[0]).toContain('no space left on device');
  expect(said.at(-1)).toMatch(/^Left on the machine.*\nrm -r .*cachescope-disk-00000000/s);
});
