import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { commandText, createPrivilege } from './privilege.ts';

const isRoot = process.getuid?.() === 0;

test('a command is shown as a user would type it', () => {
  expect(commandText(['mount', '-o', 'noatime', '/dev/loop0', '/tmp/a-b'])).toBe(
    'mount -o noatime /dev/loop0 /tmp/a-b',
  );
  expect(commandText(['nbdfuse', '[', 'a b', "it's"])).toBe(
    String.raw`nbdfuse '[' 'a b' 'it'\''s'`,
  );
});

test('a shell parses a shown command into the same arguments', () => {
  const words = [
    'plain',
    '',
    'a b',
    "it's",
    '"quoted"',
    '$HOME `id` $(id)',
    'a\\b',
    '*',
    '~',
    '~root',
    'A=b',
    '[',
    ']',
    '#not a comment',
    'two\nlines',
    "it's \\ two\nlines\u202e\u001b[1m\u{e0001}",
    '; & | < > ( ) { } !',
    '-n',
    'ümlaut',
    '0 2097152 delay /dev/loop0 0 5 /dev/loop0 0 0',
  ];
  const read = execFileSync('bash', ['-c', `printf '%s\\0' ${commandText(words)}`], {
    encoding: 'utf8',
  });
  expect(read.split('\0').slice(0, -1)).toEqual(words);
  expect(commandText(words)).not.toContain('\n');
});

test('a dry run shows every command and runs none', async () => {
  const shown: string[] = [];
  const privilege = createPrivilege({ dryRun: true, say: (line) => shown.push(line) });
  expect(await privilege.run(['false'])).toBe('');
  expect(await privilege.start(['no-such-program', '--flag'])).toBeNull();
  await privilege.dropPageCache();
  const sudo = isRoot ? '' : 'sudo -n ';
  expect(shown.slice(0, 2)).toEqual([`${sudo}false`, `${sudo}no-such-program --flag`]);
  const prepared = shown.at(2);
  expect(prepared).toContain(`'{"state":"cold","path":null,"files":null}' | ${sudo}python3 -I /`);
  expect(prepared).toMatch(/\/prepare-page-cache\.py$/);
  expect(shown).toHaveLength(3);
  privilege.images.add('/tmp/disk.img');
  await privilege.dropPageCache();
  expect(shown.at(3)).toContain('"files":null,"images":["/tmp/disk.img"]}');
});

if (!isRoot) process.stderr.write('Tests of running as root are skipped: this is not root\n');
describe.skipIf(!isRoot)('as root', () => {
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });

  test('a program that cannot be started does not end this one', async () => {
    const child = await privilege.start(['no-such-program']);
    expect(child?.pid).toBeUndefined();
    await new Promise((resolve) => child?.once('close', resolve));
  });

  test('a command returns its stdout, and arguments reach it unchanged', async () => {
    expect(await privilege.run(['printf', '%s|', 'a b', '$HOME', "'"])).toBe("a b|$HOME|'|");
  });

  test('a command reads its input, and a dry run shows it', async () => {
    expect(await privilege.run(['cat'], { input: '128\n' })).toBe('128\n');
    const shown: string[] = [];
    const dry = createPrivilege({ dryRun: true, say: (line) => shown.push(line) });
    await dry.run(['tee', '/sys/x'], { input: '128\n' });
    expect(shown).toEqual(['echo 128 | tee /sys/x']);
  });

  test('a failure names the command, its exit code and its output', async () => {
    const failing = privilege.run(['sh', '-c', 'echo device is busy >&2; exit 32']);
    await expect(failing).rejects.toMatchObject({ code: 'CS_COMMAND', exitCode: 1 });
    await expect(failing).rejects.toThrow(/^sh -c .* ended with code 32: device is busy$/);
  });

  test('a missing program is named', async () => {
    await expect(privilege.run(['no-such-program', '--flag'])).rejects.toThrow(
      /^no-such-program --flag could not be started: .*ENOENT/,
    );
  });

  test('a signal ends a command, and its reason is the error', async () => {
    const stop = new AbortController();
    const running = privilege.run(['sleep', '60'], { limitMs: 60_000, signal: stop.signal });
    await sleep(200);
    stop.abort(new Error('interrupted'));
    await expect(running).rejects.toThrow('interrupted');
    const late = privilege.run(['sleep', '60'], { limitMs: 60_000, signal: stop.signal });
    await expect(late).rejects.toThrow('interrupted');
  });

  test('a command over its time limit is terminated', async () => {
    await expect(privilege.run(['sleep', '60'], { limitMs: 50 })).rejects.toThrow(/limit 0\.05 s/);
  });

  test('a command that ignores its time limit is not waited for', async () => {
    const deaf = ['sh', '-c', 'trap "" TERM; while :; do sleep 1; done'];
    // Within the limit the shell must have set its trap.
    await expect(privilege.run(deaf, { limitMs: 1000 })).rejects.toThrow(
      /was ended by SIGKILL \(limit 1 s\)/,
    );
  });

  test('a command that has exited is reported as such, even if its child processes keep running', async () => {
    const leaving = privilege.run(['sh', '-c', 'setsid sleep 8 & wait'], { limitMs: 50 });
    await expect(leaving).rejects.toThrow(/was ended by SIGTERM \(limit 0\.05 s\)/);
  });

  test('a command is not reached by the Ctrl-C that ends this program', async () => {
    const groupOf = (pid: string) => ['ps', '-o', 'pgid=', '-p', pid];
    const own = await privilege.run(groupOf(`${process.pid}`));
    const its = await privilege.run(['sh', '-c', 'ps -o pgid= -p $$']);
    expect(Number(its)).toBeGreaterThan(0);
    expect(Number(its)).not.toBe(Number(own));
  });
});
