import { expect, test } from 'vitest';
import { platformObstacle, portableCommands } from './platform.mjs';

test('on Linux every command runs; elsewhere those that read files, and all help', () => {
  expect(platformObstacle(['sweep'], 'linux')).toBeNull();
  for (const platform of ['darwin', 'win32', 'freebsd'] as const) {
    for (const name of portableCommands) expect(platformObstacle([name], platform)).toBeNull();
    for (const words of [[], ['--version'], ['sweep', '--help'], ['sweep', '-h']])
      expect(platformObstacle(words, platform)).toBeNull();
  }
});

test('the message names the command, the system, where it runs and what runs here', () => {
  const obstacle = platformObstacle(['sweep', '0', '10', '1'], 'win32');
  expect(obstacle).toContain('sweep runs on Linux only, and this is win32. ');
  expect(obstacle).toContain('Windows Subsystem for Linux 2');
  expect(obstacle).toContain('npm run build:extension');
});
