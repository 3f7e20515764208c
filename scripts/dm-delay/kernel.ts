import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tickMsIn } from '@cachescope/harness/environment/delay-rounding.ts';

const run = promisify(execFile);
const limitMs = 5 * 60_000;

/**
 * Debian's kernels for virtual machines, in order of preference: they have device-mapper, loop and virtio as modules,
 * and ext4 built in. From Linux 6.7 on dm-delay serves short delays with a thread (commit 70bbeb29fab0); older kernels
 * round them to ticks of 4 ms. Debian 12 has both.
 */
const metaPackages = ['linux-image-6.12-cloud-amd64', 'linux-image-cloud-amd64'] as const;

/** The files of a kernel package that is unpacked but not installed: this computer must not boot it. */
export interface KernelFiles {
  version: string;
  image: string;
  /** Length of a tick of its clock, ms; null when its configuration does not say. */
  tickMs: number | null;
  /** Path of a module's file by its name, for example `dm-delay`; null when the kernel has none. */
  module(name: string): string | null;
}

/** The package of the distribution's newest kernel of this kind; null when the distribution has none. */
async function packageOf(metaPackage: string): Promise<string | null> {
  const { stdout } = await run('apt-cache', ['depends', metaPackage], { timeout: limitMs }).catch(
    () => ({ stdout: '' }),
  );
  return /Depends: (linux-image-\S+)/.exec(stdout)?.[1] ?? null;
}

function filesIn(root: string, version: string): KernelFiles {
  const modules = join(root, 'lib/modules', version, 'kernel');
  const configuration = join(root, 'boot', `config-${version}`);
  const text = existsSync(configuration) ? readFileSync(configuration, 'utf8') : null;
  return {
    version,
    image: join(root, 'boot', `vmlinuz-${version}`),
    tickMs: tickMsIn(text),
    module: (name) => globSync(join(modules, '**', `${name}.ko*`))[0] ?? null,
  };
}

async function fetchPackage(name: string, version: string, kernels: string): Promise<void> {
  mkdirSync(kernels, { recursive: true });
  const work = mkdtempSync(join(kernels, 'fetch-'));
  try {
    await run('apt-get', ['download', '-q', name], { cwd: work, timeout: limitMs });
    const [archive = ''] = globSync(join(work, '*.deb'));
    await run('dpkg-deb', ['-x', archive, join(work, 'files')], { timeout: limitMs });
    renameSync(join(work, 'files'), join(kernels, version));
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * Debian's cloud kernel: the installed one, one downloaded earlier, or one downloaded now into this user's cache
 * directory.
 *
 * @throws Error when the package lists or the package are unavailable.
 */
export async function kernelFiles(say: (line: string) => void): Promise<KernelFiles> {
  const names = await Promise.all(metaPackages.map(packageOf));
  const name = names.find((candidate) => candidate !== null);
  if (!name) throw new Error(`the package lists name no ${metaPackages.join(' and no ')}`);
  const version = name.replace('linux-image-', '');
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const kernels = join(cache, 'cachescope', 'kernels');
  const installed = filesIn('/', version);
  if (existsSync(installed.image) && installed.module('dm-delay')) return installed;
  const fetched = filesIn(join(kernels, version), version);
  if (existsSync(fetched.image)) return fetched;
  say(`Fetching ${name}, without installing it`);
  await fetchPackage(name, version, kernels);
  return fetched;
}
