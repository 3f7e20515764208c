import { type Profiler, type Runtime, Session } from 'node:inspector/promises';
import type { CpuShareLine } from '@cachescope/model/reclaim/cpu-share.ts';

/** Modules that are told, and functions of each. */
const mostModules = 12;
const mostFunctions = 5;

/** Where processor time of a thread went. */
export interface CpuProfile {
  spanMs: number;
  shares: CpuShareLine['shares'];
}

/** Starts to profile the thread that calls it: V8 looks each millisecond which function runs. */
export async function startCpuProfile(): Promise<{ stop(): Promise<CpuProfile> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return {
    async stop() {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return summarizeProfile(profile);
    },
  };
}

/** Shares of a profile by module and function, of the time in a function itself, the greatest first. */
export function summarizeProfile(profile: Profiler.Profile): CpuProfile {
  const { nodes, samples = [], timeDeltas = [], startTime, endTime } = profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const modules = new Map<string, Map<string, number>>();
  let totalUs = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    // The time from one look to the next belongs to what was seen at the first.
    const us = Math.max(0, timeDeltas[index + 1] ?? 0);
    if (!frame || us === 0) continue;
    const module = moduleOf(frame);
    const functions = modules.get(module) ?? new Map<string, number>();
    modules.set(module, functions);
    const name = frame.functionName || '(anonymous)';
    functions.set(name, (functions.get(name) ?? 0) + us);
    totalUs += us;
  }
  return { spanMs: (endTime - startTime) / 1000, shares: sharesOf(modules, totalUs) };
}

function sharesOf(
  modules: ReadonlyMap<string, ReadonlyMap<string, number>>,
  totalUs: number,
): CpuShareLine['shares'] {
  const told = [...modules].map(([module, functions]) => {
    const named = [...functions].map(([name, us]) => ({ name, share: us / totalUs }));
    const share = named.reduce((sum, each) => sum + each.share, 0);
    return { module, functions: named.toSorted(byShare).slice(0, mostFunctions), share };
  });
  return told.toSorted(byShare).slice(0, mostModules);
}

function byShare(one: { share: number }, other: { share: number }): number {
  return other.share - one.share;
}

/** Folders of this project, whose files are told one by one. */
const ownFile = /\/((?:origin|harness|extension)\/(?!node_modules)[^?]+)$/;
/** The last folder of packages in a path: `fastify`, `@fastify/busboy`. */
const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/;

/**
 * The module of a function: a package, a `node:` module, a file of this project; without a file `(idle)`,
 * `(garbage collector)`, or `(native)` for what is built in.
 */
export function moduleOf({
  url,
  functionName,
}: Pick<Runtime.CallFrame, 'url' | 'functionName'>): string {
  if (url === '') {
    const isOwnWord = functionName === '(idle)' || functionName === '(garbage collector)';
    return isOwnWord ? functionName : '(native)';
  }
  if (url.startsWith('node:')) return url;
  return packageName.exec(url)?.[1] ?? ownFile.exec(url)?.[1] ?? url;
}
