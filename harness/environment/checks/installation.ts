import { missingPackages } from '../../storage/storage.ts';
import type { Check } from '../check.ts';
import { note, ok, refused, unknown } from '../finding.ts';
import { mayInstall, missingForBrowser, missingText } from '../setup/missing.mjs';
import { debianChromium } from '../setup/sandbox.mjs';
import { containerRemark } from '../setup/surroundings.mjs';

/** The packages of the distribution that a measurement needs: in the words of the start, which installs them. */
export const packages: Check = {
  id: 'packages',
  why: 'Without them there is no browser, no slow disk, or no control of the page cache.',
  examine({ storage, chromiumPath, privilege }) {
    const kind = storage === 'auto' ? 'nbd-live' : storage;
    const isDistributions = chromiumPath === null || chromiumPath === debianChromium;
    const forBrowser = isDistributions ? missingForBrowser() : [];
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

/** The container, or the Windows, that this Linux runs in. */
export const container: Check = {
  id: 'container',
  why: 'In a container devices and user namespaces may be denied; under WSL the disks of Windows are slow.',
  examine({ files }) {
    if (files.text('/proc/sys/kernel/osrelease') === null)
      return unknown('Whether this is a container is unknown');
    const remark = containerRemark((path) => files.text(path));
    return remark === null ? ok('No sign of a container') : note(remark.what, remark.todo);
  },
};
