import { expect, test, vi } from 'vitest';
import { CachescopeError } from '../error.ts';
import { createPrivilege } from '../privilege.ts';
import { examine } from './doctor.ts';

const detach = vi.hoisted(() => vi.fn<() => Promise<void>>());
vi.mock('../storage/storage.ts', () => ({
  resolveStorageKind: () => Promise.resolve('nbd-live'),
  missingPackages: () => [],
  attachStorage: () => Promise.resolve({ setDelay: () => Promise.resolve(), detach }),
}));
vi.mock('../storage/delay-proof.ts', () => ({ proveDelay: () => Promise.resolve(null) }));
vi.mock('./checks.ts', () => ({ checkMachine: () => Promise.resolve([]) }));

function examined(said: (line: string) => void, interrupt = { requested: false }) {
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  const options = { storage: 'auto', browser: '/no/such/browser', quick: false } as const;
  return examine({ ...options, privilege, say: said, interrupt });
}

test('an interrupt ends the calibration after the current delay, and the disk is detached', async () => {
  detach.mockReset().mockResolvedValue();
  const interrupt = { requested: false };
  const said: string[] = [];
  await examined((line) => {
    said.push(line);
    interrupt.requested ||= line.startsWith('Measuring 1 ms');
  }, interrupt);
  expect(said.filter((line) => line.startsWith('Measuring'))).toHaveLength(2);
  expect(detach).toHaveBeenCalledOnce();
});

test('a disk that could not be removed is an error, and not a finding', async () => {
  const left = new CachescopeError('CS_STORAGE_LEFT', '/a is busy', { hint: 'sudo umount /a' });
  detach.mockReset().mockRejectedValue(left);
  await expect(examined(() => undefined)).rejects.toBe(left);
});
