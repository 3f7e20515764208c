import { missingPackages } from '../../storage/storage.ts';
import type { Check } from '../check.ts';
import { note, ok, refused, unknown } from '../finding.ts';
import { mayInstall, missingForBrowser, missingText } from '../setup/missing.mjs';

/** The packages of the distribution that a measurement needs: in the words of the start, which installs them. */
export const packages: Check = {
  id: 'packages',
  why: 'Without them there is no browser, no slow disk, or no control of the page cache.',
  examine({ storage, chromiumPath, privilege }) {
    const kind = storage === 'auto' ? 'nbd-live' : storage;
    const forBrowser = chromiumPath === null ? missingForBrowser() : [];
    const missing = [...missingPackages(kind), ...forBrowser];
    if (missing.length === 0) return ok('Every package that a measurement needs is installed');
    const obstacle = privilege.dryRun ? null : privilege.obstacle();
    const { message, hint } = missingText('A measurement', missing, obstacle);
    if (!mayInstall(obstacle)) return refused(message, hint);
    return note(
      `A measurement needs ${missing.join(', ')}`,
      'Nothing: the first run installs them.',
    );
  },
};

/** Whether the kernel is shared with, or is a guest of, another system. */
export const container: Check = {
  id: 'container',
  why: 'In a container devices and user namespaces may be denied; under WSL the folders of Windows are slow.',
  examine({ files }) {
    const release = files.text('/proc/sys/kernel/osrelease');
    if (release === null) return unknown('Whether this is a container is unknown');
    if (/microsoft/i.test(release))
      return note('Windows Subsystem for Linux', 'Keep TMPDIR and results outside of /mnt/c.');
    const isContainer =
      files.text('/.dockerenv') !== null ||
      files.text('/run/.containerenv') !== null ||
      (files.text('/proc/1/environ') ?? '').includes('container=');
    if (!isContainer) return ok('No sign of a container');
    return note('A container', 'It needs the rights of harness/docs/container.md.');
  },
};
