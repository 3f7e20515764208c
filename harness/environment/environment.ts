import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, release, totalmem, version } from 'node:os';
import type { Environment } from '@cachescope/model/run/base.ts';

async function distribution(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? 'unknown';
}

/** The information that a reader needs to judge or repeat a run. Text that cannot be found is `unknown`. */
export async function describeEnvironment(
  known: Pick<Environment, 'chromium' | 'storage' | 'link' | 'timerStepMs'>,
): Promise<Environment> {
  return {
    ...known,
    node: process.version,
    kernel: `${release()} ${version()}`,
    os: await distribution(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}
