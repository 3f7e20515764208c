import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { PageCacheEvictor } from './page-cache-evictor.ts';

/** Answers each line with `done`, but `"bad"` with words, and ends at `"end"`. */
const script =
  'const lines = require("node:readline").createInterface({ input: process.stdin });' +
  'lines.on("line", (line) => {' +
  '  if (line === `"end"`) process.exit(3);' +
  '  console.log(line === `"bad"` ? "[Errno 2] No such file" : "done");' +
  '});';

function evictor(): { evictor: PageCacheEvictor; pids: number[] } {
  const pids: number[] = [];
  const start = () => {
    const child = spawn(process.execPath, ['-e', script], { stdio: 'pipe' });
    if (child.pid !== undefined) pids.push(child.pid);
    return Promise.resolve(child);
  };
  return { evictor: new PageCacheEvictor(start), pids };
}

test('many evictions, also at once, take one program', async () => {
  const { evictor: made, pids } = evictor();
  await made.evict('/');
  await Promise.all(['/a', null, '/b'].map((path) => made.evict(path)));
  expect(pids).toHaveLength(1);
});

test('what fails is said, and the next one works', async () => {
  const { evictor: made, pids } = evictor();
  await expect(made.evict('bad')).rejects.toMatchObject({
    code: 'CS_COMMAND',
    message: expect.stringContaining('[Errno 2] No such file'),
  });
  await made.evict('/');
  expect(pids).toHaveLength(1);
});

test('a program that ends takes nobody with it: who waits is told, and the next one starts it anew', async () => {
  const { evictor: made, pids } = evictor();
  const both = [made.evict('end'), made.evict('/')];
  for (const eviction of both)
    await expect(eviction).rejects.toThrow(/ended with code 3: no words$/);
  await made.evict('/');
  expect(pids).toHaveLength(2);
});

test('a program that is not there is named', async () => {
  const made = new PageCacheEvictor(() =>
    Promise.resolve(spawn('no-such-program', { stdio: 'pipe' })),
  );
  await expect(made.evict('/')).rejects.toThrow(/could not be started: .*ENOENT/);
});
