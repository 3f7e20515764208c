import { which } from 'zx';
import { builtExtension } from '../harness/browser/extension-build.ts';
import { findChromium } from '../harness/browser/find.ts';
import { installPackages } from '../harness/environment/packages.ts';
import { nginxPackage, ownNginx } from '../harness/nginx/nginx-binary.ts';
import { createPrivilege } from '../harness/privilege.ts';
import { missingPackages } from '../harness/storage/storage.ts';

/**
 * Installs the packages that a new machine lacks, as a sweep would. Tests that still cannot run afterwards say why and
 * are skipped. Builds the extension once, before several programs that need it run in parallel.
 */
export default async function setUp(): Promise<void> {
  const say = (line: string) => console.warn(line);
  const chromium = (await findChromium(undefined)) ? [] : ['chromium'];
  const nginx = (await ownNginx()) ? [] : [nginxPackage];
  // For --witness syscalls.
  const strace = (await which('strace', { nothrow: true })) ? [] : ['strace'];
  const packages = [...missingPackages('nbd-live'), ...chromium, ...nginx, ...strace];
  const privilege = createPrivilege({ dryRun: false, say });
  await installPackages(packages, 'The tests', privilege, say).catch((error: unknown) =>
    say(String(error)),
  );
  await builtExtension();
}
