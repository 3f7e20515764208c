import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { createPrivilege } from '../privilege.ts';
import { startNginx } from './nginx.ts';
import { readBinary } from './nginx-binary.ts';
import { nginxConfig, type NginxOptions, type NginxPlace } from './nginx-config.ts';

const directory = mkdtempSync(join(tmpdir(), 'cachescope-test-'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

function program(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

const options: NginxOptions = {
  mode: 'lock',
  origin: '127.0.0.1:8042',
  port: 8043,
  directory: '/tmp/some where/"$x',
  workers: 100,
  user: null,
  limitBytes: 64 * 1024 ** 2,
};

test.each([
  ['pass', 'proxy_cache_lock off;'],
  ['lock', 'proxy_cache_lock on;'],
  ['tempfiles', 'proxy_cache_tempfile on;'],
] as const)('mode %s differs by one directive', (mode, directive) => {
  const lines = nginxConfig({ ...options, mode }).split('\n');
  const others = lines.filter((line) => !line.includes(directive));
  expect(others).toHaveLength(lines.length - 1);
  const lockLines = nginxConfig(options).split('\n');
  expect(others).toEqual(lockLines.filter((line) => !line.includes('proxy_cache_lock on;')));
});

test('the lock lasts longer than the transfer of the file', () => {
  const lines = nginxConfig({ ...options, fileMs: 10_000 });
  expect(lines).toContain('proxy_cache_lock_timeout 70000ms;');
  expect(lines).toContain('proxy_cache_lock_age 70000ms;');
});

test('it listens on loopback only, and its paths are quoted', () => {
  const config = nginxConfig(options);
  expect(config.match(/listen .*/g)).toEqual(['listen 127.0.0.1:8043 backlog=4096;']);
  expect(config).toContain(String.raw`pid "/tmp/some where/\"\$x/nginx.pid";`);
  expect(config).not.toContain('user ');
  expect(nginxConfig({ ...options, user: 'nobody nogroup' })).toMatch(/^user nobody nogroup;/);
});

test('a program that is not nginx is refused with the reason', async () => {
  const silent = program('silent', '#!/bin/sh\n');
  const failing = program('failing', '#!/bin/sh\nexit 3\n');
  const nginx = program('nginx', '#!/bin/sh\necho "nginx version: nginx/1.27.0" >&2\n');
  expect(await readBinary(silent)).toEqual({
    problem: `${silent} -v does not say that it is nginx`,
  });
  expect(await readBinary(failing)).toEqual({
    problem: expect.stringContaining(`${failing} -v failed`),
  });
  expect(await readBinary(join(directory, 'missing'))).toEqual({
    problem: expect.stringContaining('cannot be started (ENOENT)'),
  });
  expect(await readBinary(directory)).toEqual({ problem: `${directory} is not a file` });
  expect(await readBinary(nginx)).toEqual({
    path: nginx,
    version: 'nginx version: nginx/1.27.0',
  });
});

test.each([
  ['unknown directive "proxy_cache_tempfile"', expect.stringContaining('tempfiles patch')],
  ['mkdir() failed (13: Permission denied)', undefined],
])('the hint for a refused configuration fits its reason: %s', async (reason, hint) => {
  vi.stubEnv('XDG_STATE_HOME', join(directory, 'state'));
  const path = program('refusing', `#!/bin/sh\necho '[emerg] 1#1: ${reason}' >&2\nexit 1\n`);
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  const starting = startNginx({ path, version: '' }, () => '', privilege);
  const message = `${path} refuses its configuration: [emerg] 1#1: ${reason}`;
  await expect(starting).rejects.toMatchObject({ code: 'CS_NGINX_CONFIG', message, hint });
});

/** Passes the test of its configuration, ends so many times when started, and then listens. */
function endingNginx(name: string, times: number): string {
  return program(
    name,
    `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const words = process.argv.slice(2);
if (words.includes('-t')) process.exit(0);
const config = readFileSync(words[words.indexOf('-c') + 1], 'utf8');
const [, port] = /listen 127.0.0.1:([0-9]+)/.exec(config);
const starts = '${join(directory, name)}.starts';
appendFileSync(starts, port + ' ');
if (readFileSync(starts, 'utf8').trim().split(' ').length > ${times}) {
  const [, pidFile] = /pid "?([^";]+)/.exec(config);
  const write = () => writeFileSync(pidFile, String(process.pid));
  require('node:net').createServer().listen(Number(port), '127.0.0.1', write);
} else {
  appendFileSync(words[words.indexOf('-e') + 1], '[emerg] 1#1: die Adresse ist belegt\\n');
}
`,
  );
}

test('nginx that ends before it listens is started on other ports, whatever the language of its message', async () => {
  vi.stubEnv('XDG_STATE_HOME', join(directory, 'state'));
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  const binary = (path: string) => ({ path, version: '' });
  const configOf = (place: NginxPlace) => nginxConfig({ ...options, ...place });
  const nginx = await startNginx(binary(endingNginx('twice', 2)), configOf, privilege);
  expect(nginx.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await nginx.close();
  const always = endingNginx('always', 99);
  await expect(startNginx(binary(always), configOf, privilege)).rejects.toMatchObject({
    code: 'CS_NGINX_START',
    message: `${always} did not come up: die Adresse ist belegt`,
  });
  expect(readFileSync(`${always}.starts`, 'utf8').trim().split(' ')).toHaveLength(5);
});
