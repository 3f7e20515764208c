import { type FillPlan, type FillSystem, kindOf } from '@cachescope/model/fill/plan.ts';
import type { FillRun } from '@cachescope/model/fill/run.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { installPackages } from '../../environment/packages.ts';
import { CachescopeError, messageOf, usageError } from '../../error.ts';
import { type NginxBinary, nginxPackage, ownNginx, readBinary } from '../../nginx/nginx-binary.ts';
import type { Privilege } from '../../privilege.ts';
import type { Found, Tools } from '../experiment.ts';
import type { FillAsked } from './options.ts';
import { storageFor } from '../../options/storage-choice.ts';

/** Requested systems and questions that cannot run on this machine, and why. */
type Unavailable = FillRun['unavailable'];

/** The requirements of a run. Systems with a missing requirement are removed from the plan. */
export interface FillFound extends Found {
  plan: FillPlan;
  nginx: { own: NginxBinary | null; patched: NginxBinary | null };
  /** The browser whose cache is read through; null: no system needs one, or none was found. */
  browserPath: string | null;
  headful: boolean;
  unavailable: Unavailable;
}

/** The parsed options, and the patched nginx of `--nginx`. */
export interface FillPlanned extends FillAsked {
  patched: NginxBinary | null;
}

/** An invalid binary in `--nginx` is an error; its systems are not just left out. */
export async function withPatchedNginx(asked: FillAsked): Promise<FillPlanned> {
  if (asked.nginx === undefined) return { ...asked, patched: null };
  const read = await readBinary(asked.nginx);
  if ('problem' in read) throw usageError([`--nginx: ${read.problem}`]);
  return { ...asked, patched: read };
}

/**
 * Finds the requirements of the plan, and installs missing ones where that is allowed. A missing requirement is
 * reported and is not an error.
 *
 * @throws CachescopeError CS_FILL_SYSTEMS when no system can run.
 */
export async function findNeeds(
  { plan, namesSystems, patched, headful, storage }: FillPlanned,
  tools: Tools,
): Promise<FillFound> {
  const { privilege, say } = tools;
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
  const browserPath = needs('browser')
    ? await without('browser', () => tools.requireChromium())
    : null;
  if (browserPath !== null) await requireFeatures(browserPath, [plan.settings ?? {}]);
  if (patched === null && !namesSystems)
    unavailable.push({
      what: 'nginx-patched-lock, nginx-tempfiles',
      why: 'no patched binary is named with --nginx',
    });
  const slow =
    plan.questions.includes('slow-disk') && browserPath !== null
      ? await without('the question slow-disk', () => slowStorage(storage, privilege, say))
      : null;
  const found = {
    nginx: { own, patched },
    browserPath,
    // Without a browser system, Chromium still draws the charts if it is installed.
    chromiumPath: browserPath ?? (await tools.findChromium()),
    storage: slow ?? 'none',
    headful,
    unavailable,
  };
  const possible = planWith(plan, found);
  if (possible.systems.length === 0) throw nothingToRun(unavailable);
  for (const { what, why } of unavailable) say(`Not run: ${what}: ${why}`);
  return { ...found, plan: possible };
}

function nothingToRun(unavailable: Unavailable): CachescopeError {
  const list = unavailable.map(({ what, why }) => `\n  - ${what}: ${why}`).join('');
  return new CachescopeError('CS_FILL_SYSTEMS', `none of the systems can run here:${list}`, {
    exitCode: 3,
  });
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
    `${nginxPackage} was installed, but nginx was not found`,
  );
}

/** Throws when no slow disk is available: without root, or with `--storage none`. */
async function slowStorage(
  wanted: FillAsked['storage'],
  privilege: Privilege,
  say: (line: string) => void,
): Promise<StorageKind> {
  if (wanted === 'none') throw new Error('--storage none');
  await privilege.run(['true']);
  return storageFor(wanted, privilege, say);
}

/** The plan without the parts that cannot run on this machine. */
function planWith(
  plan: FillPlan,
  { nginx, browserPath, storage }: Omit<FillFound, 'plan'>,
): FillPlan {
  const canRun = (system: FillSystem) => {
    const kind = kindOf(system);
    if (kind === 'nginx') return nginx.own !== null;
    if (kind === 'patched nginx') return nginx.patched !== null;
    return kind !== 'browser' || browserPath !== null;
  };
  const questions = browserPath === null ? [] : plan.questions;
  return {
    ...plan,
    systems: plan.systems.filter(canRun),
    questions: questions.filter((name) => name !== 'slow-disk' || storage !== 'none'),
  };
}
