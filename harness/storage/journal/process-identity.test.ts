import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { identityOf, isRunning } from './process-identity.ts';

test('a process is identified by its pid and its start time', () => {
  const identity = identityOf(process.pid);
  const [ticks] = execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).split('\n');
  const uptimeSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
  const ageSeconds = uptimeSeconds - (identity?.startTime ?? Number.NaN) / Number(ticks);
  // Node knows its own uptime.
  expect(Math.abs(ageSeconds - process.uptime())).toBeLessThan(2);
});

test('the same pid with another start time is another process', () => {
  const identity = identityOf(process.pid) ?? { pid: 0, startTime: 0 };
  expect(isRunning(identity)).toBe(true);
  expect(isRunning({ ...identity, startTime: identity.startTime - 1 })).toBe(false);
});

test('a process that has exited is not running', () => {
  const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
  expect(identityOf(pid)).toBeNull();
  expect(isRunning({ pid, startTime: 1 })).toBe(false);
});
