import { type FillPlan, type FillSystem, kindOf } from '@cachescope/model/fill-plan.ts';
import type { FillRun } from '@cachescope/model/fill-run.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { requireChromium } from '../environment/chromium.ts';
import { installPackages } from '../environment/packages.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { type NginxBinary, nginxPackage, ownNginx } from '../nginx/nginx-binary.ts';
import type { Privilege } from '../privilege.ts';
import type { FillOptions } from './fill-options.ts';
import { storageFor } from './storage-choice.ts';

/** What was asked for and cannot run here, and why. */
export type Unavailable = FillRun['unavailable'];

/** What a run needs, as it was found. What is missing takes systems out of the plan. */
export interface FillNeeds {
  nginx: { own: NginxBinary | null; patched: NginxBinary | null };
  chromiumPath: string | null;
  storage: StorageKind;
  unavailable: Unavailable;
}

/** Looks for what the plan needs, and installs what is missing where that is allowed. Nothing that is missing is an error. */
export async function findNeeds(
  { plan, namesSystems, browser, storage }: FillOptions,
  patched: NginxBinary | null,
  privilege: Privilege,
  say: (line: string) => void,
): Promise<FillNeeds> {
  const unavailable: Unavailable = [];
  const needs = (kind: ReturnType<typeof kindOf>) =>
    plan.systems.some((system) => kindOf(system) === kind);
  const without = async <Value>(
    what: string,
    work: () => Promise<Value>,
  ): Promise<Value | null> => {
    try {
      return await work();
    } catch (error) {
      unavailable.push({ what, why: messageOf(error) });
      return null;
    }
  };
  const own = needs('nginx') ? await without('nginx', () => requireNginx(privilege, say)) : null;
  const chromium = needs('browser')
    ? await without('browser', () => requireChromium(browser, privilege, say))
    : null;
  if (patched === null && !namesSystems)
    unavailable.push({
      what: 'nginx-patched-lock, nginx-tempfiles',
      why: 'no patched binary was named with --nginx',
    });
  const slow =
    plan.questions.includes('slow-disk') && chromium
      ? await without('the question slow-disk', () => slowStorage(storage, privilege, say))
      : null;
  return {
    nginx: { own, patched },
    chromiumPath: chromium?.path ?? null,
    storage: slow ?? 'none',
    unavailable,
  };
}

async function requireNginx(
  privilege: Privilege,
  say: (line: string) => void,
): Promise<NginxBinary> {
  const found = await ownNginx();
  if (found) return found;
  await installPackages([nginxPackage], 'The system nginx', privilege, say);
  const installed = await ownNginx();
  if (installed) return installed;
  throw new CachescopeError(
    'CS_NGINX_MISSING',
    `${nginxPackage} was installed, and there is no nginx`,
  );
}

/** Throws when there is no slow disk to be had: without root, or when none is wanted. */
async function slowStorage(
  wanted: FillOptions['storage'],
  privilege: Privilege,
  say: (line: string) => void,
): Promise<StorageKind> {
  if (wanted === 'none') throw new Error('--storage none');
  await privilege.run(['true']);
  return storageFor(wanted, privilege, say);
}

/** The plan without what cannot run here. */
export function planWith(plan: FillPlan, { nginx, chromiumPath, storage }: FillNeeds): FillPlan {
  const canRun = (system: FillSystem) => {
    const kind = kindOf(system);
    if (kind === 'nginx') return nginx.own !== null;
    if (kind === 'patched nginx') return nginx.patched !== null;
    return kind !== 'browser' || chromiumPath !== null;
  };
  const questions = chromiumPath === null ? [] : plan.questions;
  return {
    ...plan,
    systems: plan.systems.filter(canRun),
    questions: questions.filter((name) => name !== 'slow-disk' || storage !== 'none'),
  };
}
