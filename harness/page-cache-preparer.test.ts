import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PageCachePreparer } from './page-cache-preparer.ts';

/** Answers each line with null, `bad` with a problem and `odd` with invalid JSON, and exits at `end`. */
const script =
  'const lines = require("node:readline").createInterface({ input: process.stdin });' +
  'const answers = { bad: `{"problem":"[Errno 2] No such file"}`, odd: `odd` };' +
  'lines.on("line", (line) => {' +
  '  const { path } = JSON.parse(line);' +
  '  if (path === "end") process.exit(3);' +
  '  console.log(answers[path] ?? "null");' +
  '});';

function cold(path: string | null) {
  return { state: 'cold', path, files: null } as const;
}

function preparer(): { made: PageCachePreparer; pids: number[] } {
  const pids: number[] = [];
  const start = () => {
    const child = spawn(process.execPath, ['-e', script], { stdio: 'pipe' });
    if (child.pid !== undefined) pids.push(child.pid);
    return Promise.resolve(child);
  };
  return { made: new PageCachePreparer(start), pids };
}

test('many requests, also concurrent ones, use one program', async () => {
  const { made, pids } = preparer();
  await made.prepare(cold('/'));
  await Promise.all(['/a', null, '/b'].map((path) => made.prepare(cold(path))));
  expect(pids).toHaveLength(1);
});

test('a failure is reported, and the next request works', async () => {
  const { made, pids } = preparer();
  await expect(made.prepare(cold('bad'))).rejects.toMatchObject({
    code: 'CS_COMMAND',
    message: expect.stringContaining('[Errno 2] No such file'),
  });
  await expect(made.prepare(cold('odd'))).rejects.toThrow('its answer');
  await made.prepare(cold('/'));
  expect(pids).toHaveLength(1);
});

test('when the program exits, waiting requests get an error, and the next one restarts it', async () => {
  const { made, pids } = preparer();
  const both = [made.prepare(cold('end')), made.prepare(cold('/'))];
  for (const eviction of both)
    await expect(eviction).rejects.toThrow(/ended with code 3: no error output$/);
  await made.prepare(cold('/'));
  expect(pids).toHaveLength(2);
});

test('a late answer is not taken for that of the next request', async () => {
  const programs: { stdin: PassThrough; stdout: PassThrough }[] = [];
  const start = () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    programs.push({ stdin, stdout });
    const held = { ref: () => undefined, unref: () => undefined };
    const stdio = [stdin, stdout, stderr].map((stream) => Object.assign(stream, held));
    const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr, stdio, ...held });
    return Promise.resolve(child as unknown as ChildProcess);
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const made = new PageCachePreparer(start);
  const first = expect(made.prepare(cold('/'))).rejects.toThrow('did not answer in 300 s');
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  vi.advanceTimersByTime(300_000);
  await first;
  const next = made.prepare(cold('/'));
  const [late, other] = await vi.waitUntil(() => programs[1]?.stdin.readableLength && programs);
  late?.stdout.write('{"problem":"late"}\n');
  await vi.waitUntil(() => late?.stdout.readableLength === 0);
  other?.stdout.write('null\n');
  expect(await next).toBeNull();
});

test('a missing program is named', async () => {
  const made = new PageCachePreparer(() =>
    Promise.resolve(spawn('no-such-program', { stdio: 'pipe' })),
  );
  await expect(made.prepare(cold('/'))).rejects.toThrow(/could not be started: .*ENOENT/);
});
