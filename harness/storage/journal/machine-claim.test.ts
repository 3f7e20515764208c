import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimMachine } from './machine-claim.ts';

let directory = '';
let said: string[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'claim-test-'));
  said = [];
});
afterEach(() => rmSync(directory, { recursive: true }));

const claim = (wait: boolean) => claimMachine({ wait, say: (line) => said.push(line), directory });

test('a second run is refused with the pid and the command line of the first', async () => {
  const first = await claim(false);
  const second = claim(false);
  await expect(second).rejects.toMatchObject({ code: 'CS_BUSY', exitCode: 3 });
  await expect(second).rejects.toThrow(new RegExp(`process ${process.pid} \\(.*node`));
  first.release();
  first.release();
  (await claim(false)).release();
});

test('one that waits says for whom, and gets the machine when it is free', async () => {
  const first = await claim(false);
  const second = claim(true);
  await expect.poll(() => said, { timeout: 1000 }).toHaveLength(1);
  expect(said[0]).toMatch(new RegExp(`^Waiting for process ${process.pid} `));
  first.release();
  (await second).release();
});

test('of many that start at once one gets it', async () => {
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => claim(false)));
  const won = all.filter((result) => result.status === 'fulfilled');
  expect(won).toHaveLength(1);
  won[0]?.value.release();
});

test('other state, other machine: tests do not stand in the way of runs', async () => {
  const first = await claim(false);
  const other = await claimMachine({
    wait: false,
    say: () => undefined,
    directory: `${directory}/x`,
  });
  other.release();
  first.release();
});

test('a holder that was killed holds nothing', async () => {
  const script = `
    const { claimMachine } = await import(${JSON.stringify(import.meta.resolve('./machine-claim.ts'))});
    await claimMachine({ wait: false, say() {}, directory: ${JSON.stringify(directory)} });
    console.log('held');
    setTimeout(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  await expect(claim(false)).rejects.toThrow(`process ${child.pid} `);
  child.kill('SIGKILL');
  await once(child, 'close');
  (await claim(false)).release();
});
