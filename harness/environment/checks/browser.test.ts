import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findOn, noPrivilege, testFindings } from '../made-up-machine.ts';
import { chromium, otherChromium, sandbox } from './browser.ts';

testFindings([
  [otherChromium, { '/proc/7/comm': 'bash\n', '/proc/7/cmdline': 'bash\0' }, 'ok', /No other/],
  [
    otherChromium,
    {
      '/proc/7/comm': 'chromium\n',
      '/proc/7/cmdline': '/usr/lib/chromium/chromium\0--headless\0',
      '/proc/8/comm': 'chromium\n',
      '/proc/8/cmdline': '/usr/lib/chromium/chromium\0--type=renderer\0',
      '/proc/9/comm': 'chrome\n',
      '/proc/9/cmdline': '',
    },
    'warning',
    /^1 other Chromium is running \(pid 7\)$/,
  ],
  [
    otherChromium,
    {
      '/proc/6/stat': `6 (sh) S ${process.pid} 6 6 0\n`,
      '/proc/7/comm': 'chromium\n',
      '/proc/7/cmdline': '/usr/lib/chromium/chromium\0--headless\0',
      '/proc/7/stat': '7 (chromium (a) b) S 6 7 7 0\n',
    },
    'ok',
    /No other/,
  ],
  [sandbox, {}, 'note', /runs as root/, { isRoot: true }],
]);

test('a missing Chromium is a refusal, and so is one too old for dictionaries', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-browser-'));
  const saying = (words: string) => {
    const path = join(directory, 'browser');
    writeFileSync(path, `#!/bin/sh\necho '${words}'\n`, { mode: 0o755 });
    return findOn(chromium, {}, { chromiumPath: path });
  };
  try {
    expect(await findOn(chromium, {}, { privilege: noPrivilege })).toMatchObject({
      status: 'refused',
    });
    expect(await saying('Chromium 130.0.6723.58 built on Debian')).toMatchObject({ status: 'ok' });
    expect(await saying('Chromium 129.0.6668.100')).toMatchObject({ status: 'refused' });
    expect(await saying('Hello')).toMatchObject({ status: 'unknown' });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
