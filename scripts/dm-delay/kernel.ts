import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const limitMs = 5 * 60_000;

/** Debian's kernel for virtual machines: it has device-mapper, loop and virtio as modules, and ext4 built in. */
const metaPackage = 'linux-image-cloud-amd64';

/** The files of a kernel package, not installed: it must not become what this computer boots. */
export interface KernelFiles {
  version: string;
  image: string;
  /** Path of a module's file by its name, for example `dm-delay`; null when the kernel has none. */
  module(name: string): string | null;
}

/** The package that the distribution's newest kernel of this kind is in. */
async function packageName(): Promise<string> {
  const { stdout } = await run('apt-cache', ['depends', metaPackage], { timeout: limitMs });
  const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
  if (name === undefined) throw new Error(`the package lists name no ${metaPackage}`);
  return name;
}

function filesIn(root: string, version: string): KernelFiles {
  const modules = join(root, 'lib/modules', version, 'kernel');
  return {
    version,
    image: join(root, 'boot', `vmlinuz-${version}`),
    module: (name) => globSync(join(modules, '**', `${name}.ko*`))[0] ?? null,
  };
}

/**
 * Debian's cloud kernel: the installed one, the one fetched before, or fetched now into this user's cache folder.
 *
 * @throws Error when the package lists or the package cannot be had.
 */
export async function kernelFiles(say: (line: string) => void): Promise<KernelFiles> {
  const name = await packageName();
  const version = name.replace('linux-image-', '');
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const kernels = join(cache, 'cachescope', 'kernels');
  const installed = filesIn('/', version);
  if (existsSync(installed.image) && installed.module('dm-delay')) return installed;
  const fetched = filesIn(join(kernels, version), version);
  if (existsSync(fetched.image)) return fetched;
  say(`Fetching ${name}, without installing it`);
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
  return fetched;
}
