import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { programInNamespace } from './program-in-namespace.ts';

const directory = mkdtempSync(join(tmpdir(), 'cachescope-namespace-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** As sudo(8): closes descriptors from 3 on and empties the environment. */
const sudo = '#!/bin/sh\nshift\nexec 3<&- 4>&-\nexec env -i "$@"\n';
writeFileSync(join(directory, 'sudo'), sudo, { mode: 0o700 });

/** Answers what it reads from descriptor 3 on 4, with its first argument and a variable. */
const program = `IFS= read -r line <&3; printf '%s|%s|%s' "$line" "$1" "$TEXT" >&4`;

test.each([
  ['directly', ['env', 'TEXT=a b']],
  ['across sudo', ['sudo', '--']],
])('a program %s keeps its pipe, its arguments and its variables', async (_how, enter) => {
  const script = programInNamespace('/bin/sh', enter, directory, {
    TEXT: "it's",
    PATH: process.env['PATH'],
  });
  const child = spawn(script, ['-c', program, 'sh', 'x y'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${directory}:${process.env['PATH']}` },
  });
  const [, , , input, output] = child.stdio as [null, null, null, Writable, Readable];
  const ended = once(child, 'exit');
  // Puppeteer leaves its end open until the browser has ended.
  input.write('a line\n');
  expect(await text(output)).toBe(`a line|x y|${enter[0] === 'sudo' ? "it's" : 'a b'}`);
  expect(await ended).toEqual([0, null]);
  input.end();
});
