import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { afterAll } from 'vitest';
import { whatSlowStorageLacks } from './slow-storage-need.ts';

export const privilege = createPrivilege({ dryRun: false, say: () => undefined });

/** Why this machine cannot run slow storage; null when it can. */
export const skipReason = await whatSlowStorageLacks();
if (skipReason) process.stderr.write(`Tests of storage are skipped: ${skipReason}\n`);

/** State directory of the test file: it holds only the journals of its tests. */
export const state = mkdtempSync(join(tmpdir(), 'storage-e2e-'));
process.env['XDG_STATE_HOME'] = state;
afterAll(() => rmSync(state, { recursive: true }));
