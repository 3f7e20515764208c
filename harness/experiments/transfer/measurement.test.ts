import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransferPlan } from '@cachescope/model/transfer/run.ts';
import { transferPath } from '@cachescope/model/transfer/task.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { createPrivilege } from '../../privilege.ts';
import { Progress } from '../../lab/progress.ts';
import { type RunPlace, takeRun } from '../../lab/take-run.ts';
import { transfer } from './experiment.ts';

const plan: TransferPlan = {
  clients: ['node'],
  protocols: ['h1'],
  connections: ['warm'],
  sizesBytes: [0],
  requestBytes: 0,
  requestsPerCell: 2,
  launches: 1,
  serverDelayMs: 0,
  seed: 1,
  margin: 0.02,
};

// A separate journal, so that the user's journal is not changed.
const base = mkdtempSync(join(tmpdir(), 'cachescope-transfer-test-'));
vi.stubEnv('XDG_STATE_HOME', join(base, 'state'));
vi.stubEnv('TMPDIR', base);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

/** A place without Chromium; `close` closes the run's directory. */
function madeUpPlace(close: () => Promise<void>): RunPlace {
  const nothing = () => undefined;
  const saved = () => Promise.resolve();
  return {
    extensionDirectory: '',
    privilege: createPrivilege({ dryRun: false, say: nothing }),
    directory: { path: base, writeRun: saved, append: saved, appendBeside: saved, close },
    progress: new Progress(1, { write: nothing }),
    interrupt: { requested: false },
    machine: {
      rule: 'skip',
      record: null,
      before: [],
      warnings: [],
      lookAgain: () => Promise.resolve(undefined),
    },
    commandLine: [],
    toolVersion: '0.0.0',
  };
}

/** Responds to every request without a body and without headers that identify the connection. */
async function silentOrigin() {
  const ports = { 'h1-tls': 1, h2: 1 };
  const description = {
    version: 1,
    machine: null,
    ports,
    certificate: '',
    publicKeySha256: `${'A'.repeat(43)}=`,
  };
  const server = createServer((request, response) => {
    request.resume();
    response.end(request.url === transferPath ? JSON.stringify(description) : '');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url, close };
}

test('a failed clean-up loses nothing of the finished run', async () => {
  const origin = await silentOrigin();
  const failure = new Error('the disk is full');
  const found = { plan, originUrl: origin.url, mayOmitLink: true, headful: false };
  const place = madeUpPlace(() => Promise.reject(failure));
  const { document, cleanUpError } = await takeRun(
    transfer,
    { ...found, chromiumPath: '', storage: 'none' },
    place,
  );
  const { run, samples } = document;
  await origin.close();
  expect(cleanUpError).toBe(failure);
  expect(samples).toHaveLength(2);
  // Nothing shows that the requests were warm, so the only cell has no usable sample.
  expect(samples.map(({ flags }) => flags)).toEqual([
    ['connection-unknown'],
    ['connection-unknown'],
  ]);
  expect(run.status).toBe('partial');
  expect(run.statusReason).toBe('no usable request of 0 B over HTTP/1.1, warm, in Node');
});
