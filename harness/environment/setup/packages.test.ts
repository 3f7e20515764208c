import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rootObstacle } from './root-access.mjs';
import { missingText } from './missing.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'packages-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

function install(name: string, script = ''): void {
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const needed = ['libatomic1', 'python3', 'libnbd-bin', 'nbdkit-plugin-python', 'chromium-sandbox'];

test.each([
  ['dnf', 'dnf install -y libatomic python3 nbdfuse nbdkit-python-plugin'],
  ['zypper', 'zypper --non-interactive install libatomic1 python3 nbdfuse nbdkit-python-plugin'],
  ['pacman', 'pacman -S --needed --noconfirm gcc-libs python libnbd nbdkit'],
  ['apk', 'apk add libatomic python3 libnbd nbdkit'],
])('%s gets its own names of the packages', (manager, command) => {
  install(manager);
  vi.stubEnv('PATH', directory);
  const { message, hint } = missingText('It', needed, 'there is no sudo', directory);
  expect(hint).toBe(`One command installs all of it. Type as root: ${command}`);
  expect(message).toMatch(/^It needs .*, and there is no sudo$/);
});

test('a user whose sudo asks for a password types sudo', () => {
  install('apt-get');
  const { hint } = missingText('It', ['nbdkit'], 'sudo asks for a password', directory);
  expect(hint).toBe(
    'One command installs all of it. Type: sudo apt-get update && sudo apt-get install --yes --no-install-recommends nbdkit',
  );
});

test('without a known package manager the names are listed', () => {
  const { hint } = missingText('It', ['nbdkit', 'fio'], null, directory);
  expect(hint).toBe("Install these packages, here with Debian's names, and try again: nbdkit fio");
});

test.each([
  ['exit 0', null],
  ['echo "sudo: a password is required" >&2; exit 1', 'sudo asks for a password'],
  [
    'echo "sudo: The \\"no new privileges\\" flag is set, which prevents sudo from running as root." >&2; exit 1',
    'sudo refuses (The "no new privileges" flag is set, which prevents sudo from running as root.)',
  ],
])('what sudo does is tried: %s', (script, obstacle) => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  install('sudo', script);
  vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`);
  expect(rootObstacle()).toBe(obstacle);
});

test('a machine without sudo says so', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  vi.stubEnv('PATH', directory);
  expect(rootObstacle()).toBe('there is no sudo');
});
