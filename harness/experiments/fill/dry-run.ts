import { kindOf } from '@cachescope/model/fill/plan.ts';
import { messageOf } from '../../error.ts';
import { installPackages } from '../../environment/packages.ts';
import { nginxPackage, ownNginx } from '../../nginx/nginx-binary.ts';
import { storageFor } from '../../options/storage-choice.ts';
import { dryRunDelays } from '../../storage/dry-run.ts';
import type { Tools } from '../experiment.ts';
import type { FillPlanned } from './needs.ts';
import { slowDiskMs } from './questions.ts';

/** In a dry run: shows the installation of a missing nginx, and the disk of the question about a slow one. */
export async function dryRunFill(
  { plan, storage: wanted }: FillPlanned,
  tools: Tools,
): Promise<void> {
  const { privilege, say } = tools;
  // What cannot be installed is left out of a real run, too.
  const leftOut = (what: string) => (error: unknown) =>
    say(`Not run: ${what}: ${messageOf(error)}`);
  const hasNginx = plan.systems.some((system) => kindOf(system) === 'nginx');
  if (hasNginx && !(await ownNginx()))
    await installPackages([nginxPackage], 'The system nginx', privilege, say).catch(
      leftOut('nginx'),
    );
  if (!plan.questions.includes('slow-disk') || wanted === 'none') return;
  const storage = await storageFor(wanted, tools).catch(leftOut('the question slow-disk'));
  if (storage)
    await dryRunDelays({ storage, delaysMs: [slowDiskMs], delayWrites: true }, privilege);
}
