import { expect, test } from 'vitest';
import { lastWords, startFailure } from './start-failure.ts';

// Chromium 138 to 156 in containers of Debian 13.
const noSandbox =
  '[1127/232611.502:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu 23.10+ or another Linux distro that has disabled unprivileged user namespaces with AppArmor, see https://chromium.googlesource.com/chromium/src/+/main/docs/security/apparmor-userns-restrictions.md.';
const longSocket =
  '[12:12:1127/232611.502:ERROR:chrome/browser/process_singleton_posix.cc:301] Socket path too long: /very/long';
const noLibrary =
  '/opt/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory';

test.each([
  [noSandbox, /no usable sandbox/, /chromium-sandbox/],
  [longSocket, /TMPDIR is too long/, /62 bytes/],
  [noLibrary, /libnss3\.so/, /Install the library/],
])('the cause that a browser names is the reason: %s', (line, what, todo) => {
  const failure = startFailure(`DevTools\n${line}\n`);
  expect(failure?.what).toMatch(what);
  expect(failure?.todo).toMatch(todo);
});

test('of what a browser wrote, a cause has the first sentence', () => {
  expect(startFailure(noSandbox)?.what).toMatch(/\(No usable sandbox!\)$/);
  expect(startFailure(longSocket)?.what).toMatch(/\(Socket path too long: \/very\/long\)$/);
});

test('of another failure the last lines are shown, without the prefix of the log', () => {
  const text = 'one\n\n[1:1:1127/1.5:ERROR:a.cc:1] two\nthree\nfour\n';
  expect(startFailure(text)).toBeNull();
  expect(lastWords(text)).toBe('two; three; four');
});
