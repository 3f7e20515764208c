import { evidenceDepths } from '@cachescope/model/attribution/evidence.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { columns, counts, playAll, verdictOf } from '../../harness/situations/truth-table.ts';
import { recordEvidence } from '../../harness/situations/recorded-evidence.ts';
import type { Played } from '../../harness/situations/play.ts';

const labels = {
  page: 'page',
  webRequest: '+ webRequest',
  devtools: '+ DevTools',
  debugger: '+ debugger',
} as const;

/** How often the verdict was right, true but coarse, unknown and wrong, by depth; then every situation. */
export async function measureTruthTable(): Promise<void> {
  const origin = await startOrigin({ workloads: [], situations: true });
  try {
    const byDepth = await Promise.all(evidenceDepths.map((depth) => playAll(origin, depth)));
    printCounts(byDepth);
    printRows(byDepth);
  } finally {
    await origin.close();
  }
}

/** Plays every situation twice, and keeps what the witnesses said for `harness/situations/sharpening.test.ts`. */
export async function recordTruthTable(): Promise<void> {
  const origin = await startOrigin({ workloads: [], situations: true });
  try {
    recordEvidence(await playAll(origin, 'devtools'), await playAll(origin, 'debugger'));
  } finally {
    await origin.close();
  }
}

function printCounts(byDepth: readonly Played[][]): void {
  console.log(`${byDepth[0]?.length ?? 0} situations, each built in Chromium at each depth\n`);
  console.log(
    `| depth | ${columns.join(' | ')} |\n| --- | ${columns.map(() => '--:').join(' | ')} |`,
  );
  for (const [index, played] of byDepth.entries()) {
    const depth = evidenceDepths[index] ?? 'page';
    const counted = counts(played);
    console.log(`| ${labels[depth]} | ${columns.map((each) => counted[each]).join(' | ')} |`);
  }
}

function printRows(byDepth: readonly Played[][]): void {
  const [first = []] = byDepth;
  console.log(
    `\n| situation | truth | ${evidenceDepths.map((depth) => labels[depth]).join(' | ')} |`,
  );
  console.log(`| --- | --- | ${evidenceDepths.map(() => '---').join(' | ')} |`);
  for (const [row, { situation }] of first.entries()) {
    const cells = byDepth.map((played) => cell(played[row]));
    console.log(`| ${situation.name} | ${situation.truth.answer} | ${cells.join(' | ')} |`);
  }
}

/** `right`, or the judgement with the verdict where they differ from the truth. */
function cell(played: Played | undefined): string {
  if (!played) return '';
  if (!played.resource) return 'missing';
  if (!played.judgement) return 'did not come about';
  if (played.judgement === 'right' || played.judgement === 'unknown') return played.judgement;
  return `${played.judgement}: ${verdictOf(played)}`;
}
