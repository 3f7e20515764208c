import { type Profiler, type Runtime, Session } from 'node:inspector/promises';
import type { CpuShareLine } from '@cachescope/model/reclaim/run.ts';

/** Maximum number of modules in the result, and of functions of each. */
const mostModules = 12;
const mostFunctions = 5;

/** Processor time of a thread by module and function. */
export interface CpuProfile {
  spanMs: number;
  shares: CpuShareLine['shares'];
}

/** Starts to profile the calling thread: V8 samples the running function each millisecond. */
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

/** Shares of a profile by module and function, of self time, largest first. */
export function summarizeProfile(profile: Profiler.Profile): CpuProfile {
  const { nodes, samples = [], timeDeltas = [], startTime, endTime } = profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const modules = new Map<string, Map<string, number>>();
  let totalUs = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    // The time between two samples is attributed to the first.
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

/** Folders of this project, whose files are listed individually. */
const ownFile = /\/((?:origin|harness|extension)\/(?!node_modules)[^?]+)$/;
/** The innermost package of a path: `fastify`, `@fastify/busboy`. */
const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/;

/**
 * The module of a function: a package, a `node:` module, a file of this project; without a file `(idle)`, `(garbage
 * collector)`, or `(native)` for built-in functions.
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
