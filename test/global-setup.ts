import { findChromium } from '../harness/browser/find.ts';
import { installPackages } from '../harness/environment/packages.ts';
import { createPrivilege } from '../harness/privilege.ts';
import { missingPackages } from '../harness/storage/storage.ts';

/** Installs what a new machine lacks, as a sweep would. Tests that then still cannot run say why and are skipped. */
export default async function setUp(): Promise<void> {
  const say = (line: string) => console.warn(line);
  const chromium = (await findChromium(undefined)) ? [] : ['chromium'];
  const packages = [...(await missingPackages('nbd-delay')), ...chromium];
  const privilege = createPrivilege({ dryRun: false, say });
  await installPackages(packages, 'The tests', privilege, say).catch((error: unknown) =>
    say(String(error)),
  );
}
