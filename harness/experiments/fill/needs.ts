import { type FillPlan, type FillSystemKind, kindOf } from '@cachescope/model/fill/plan.ts';
import type { FillRun } from '@cachescope/model/fill/run.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { requireFeatures } from '../../browser/known-features.ts';
import { installPackages } from '../../environment/packages.ts';
import { CachescopeError, messageOf, usageError } from '../../error.ts';
import { type NginxBinary, nginxPackage, ownNginx, readBinary } from '../../nginx/nginx-binary.ts';
import type { Privilege } from '../../privilege.ts';
import type { Tools } from '../experiment.ts';
import type { FillAsked } from './options.ts';
import { storageFor } from '../../options/storage-choice.ts';

/** Requested systems and questions that cannot run on this machine, and why. */
type Unavailable = FillRun['unavailable'];

/** The requirements of a run. Systems with a missing requirement are removed from the plan. */
export type FillFound = Awaited<ReturnType<typeof findNeeds>>;

/** The parsed options, and the patched nginx of `--nginx`. */
export type FillPlanned = Awaited<ReturnType<typeof withPatchedNginx>>;

/** An invalid binary in `--nginx` is an error; its systems are not just left out. */
export async function withPatchedNginx(asked: FillAsked) {
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
) {
  const { privilege, say } = tools;
  const unavailable: Unavailable = [];
  const needs = (kind: FillSystemKind) => plan.systems.some((system) => kindOf(system) === kind);
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
      ? await without('the question slow-disk', () => slowStorage(storage, tools))
      : null;
  const canRun: Record<FillSystemKind, boolean> = {
    origin: true,
    edge: true,
    nginx: own !== null,
    'patched nginx': patched !== null,
    browser: browserPath !== null,
  };
  const systems = plan.systems.filter((system) => canRun[kindOf(system)]);
  if (systems.length === 0) {
    const list = unavailable.map(({ what, why }) => `\n  - ${what}: ${why}`).join('');
    throw new CachescopeError('CS_FILL_SYSTEMS', `none of the systems can run here:${list}`, {
      exitCode: 3,
    });
  }
  for (const { what, why } of unavailable) say(`Not run: ${what}: ${why}`);
  const storageKind: StorageKind = slow ?? 'none';
  const questions = browserPath === null ? [] : plan.questions;
  const possible: FillPlan = {
    ...plan,
    systems,
    questions: questions.filter((name) => name !== 'slow-disk' || storageKind !== 'none'),
  };
  // With --storage none the plan itself has no slow disk.
  const asked = plan.questions.filter((name) => name !== 'slow-disk' || storage !== 'none');
  const leftOut = [...plan.systems, ...asked].filter(
    (name) => !([...systems, ...possible.questions] as string[]).includes(name),
  );
  return {
    /** The plan without the parts that cannot run on this machine. */
    plan: possible,
    nginx: { own, patched },
    /** The browser whose cache is read through; null: no system needs one, or none was found. */
    browserPath,
    // Without a browser system, Chromium still draws the charts if it is installed.
    chromiumPath: browserPath ?? (await tools.findChromium()),
    storage: storageKind,
    headful,
    unavailable,
    leftOut,
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
    `${nginxPackage} was installed, but nginx was not found`,
  );
}

/** Throws when no slow disk is available: without root, or with `--storage none`. */
async function slowStorage(wanted: FillAsked['storage'], tools: Tools): Promise<StorageKind> {
  if (wanted === 'none') throw new Error('--storage none');
  return storageFor(wanted, tools);
}
