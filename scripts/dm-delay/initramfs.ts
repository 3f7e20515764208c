import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CachescopeError } from '@cachescope/harness/error.ts';
import type { KernelFiles } from './kernel.ts';

/** Modules needed to reach the host's files, in the order of their dependencies. Some may be built into a kernel. */
const modules = [
  'virtio_ring',
  'virtio',
  'virtio_pci_legacy_dev',
  'virtio_pci_modern_dev',
  'virtio_pci',
  'fuse',
  'virtiofs',
];

const init = (names: readonly string[], script: string) => `#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
$b mount -t devtmpfs devtmpfs /dev
for module in ${names.join(' ')}; do $b insmod /modules/$module; done
$b mount -t virtiofs -o ro root /host
for place in proc sys dev; do $b mount --move /$place /host/$place; done
exec $b switch_root /host ${script}
`;

/** Copies a module into the archive's directory; newer distributions compress modules. */
function addModule(file: string, directory: string): string {
  const name = basename(file);
  copyFileSync(file, join(directory, name));
  if (!name.endsWith('.xz')) return name;
  execFileSync('xz', ['--decompress', join(directory, name)]);
  return basename(name, '.xz');
}

/**
 * Writes the initramfs of the guest's kernel: it loads the modules needed to reach the host's files, mounts the files
 * read-only and executes a script there (Linux Documentation/driver-api/early-userspace/buffer-format.rst).
 */
export function writeInitramfs(kernel: KernelFiles, script: string, path: string): void {
  const work = mkdtempSync(`${path}-`);
  try {
    for (const name of ['bin', 'modules', 'proc', 'sys', 'dev', 'host'])
      mkdirSync(join(work, name));
    copyFileSync('/usr/bin/busybox', join(work, 'bin/busybox'));
    const names = modules
      .map((name) => kernel.module(name))
      .filter((file) => file !== null)
      .map((file) => addModule(file, join(work, 'modules')));
    writeFileSync(join(work, 'init'), init(names, script));
    chmodSync(join(work, 'init'), 0o755);
    const archive = `cd "$1" && busybox find . | busybox cpio -o -H newc > "$2"`;
    execFileSync('busybox', ['sh', '-c', archive, 'sh', work, path], { stdio: 'pipe' });
  } catch (error) {
    throw new CachescopeError('CS_GUEST', `no start-up archive could be written to ${path}`, {
      cause: error,
    });
  } finally {
    rmSync(work, { recursive: true });
  }
}
