import { useDepartures } from '../network/proof.ts';
import type { PathProof, TransferPath } from './path.ts';
import { type RoundTrip, roundTripOf } from './round-trip.ts';
import type { TransferRun } from './run.ts';
import type { TransferSample } from './sample.ts';

/** One path of a run. */
export interface PathSummary {
  name: string;
  roundTrip: RoundTrip;
  /** Launches in which the emulated link was not as set, a sentence each; empty without a link. */
  departures: string[];
  /** Packets that the link dropped, both directions; null: unknown, or there is no link. */
  drops: number | null;
}

/** The facts of a path. */
export function pathSummary(run: TransferRun, path: TransferPath): PathSummary {
  const proofs = run.pathProofs?.filter((proof) => proof.path === path.name) ?? [];
  return {
    name: path.name,
    roundTrip: roundTripOf(run, path.name),
    departures: proofs.flatMap((proof) =>
      departuresOf(path, proof).map((sentence) => `Launch ${proof.launch + 1}: ${sentence}`),
    ),
    drops: proofs.at(-1)?.counts ? dropsOf(proofs) : null,
  };
}

/** The link counts from its start, so the last launch has all. */
function dropsOf(proofs: readonly PathProof[]): number {
  const counts = proofs.flatMap((proof) => proof.counts ?? []).at(-1);
  if (!counts) return 0;
  return [counts.up, counts.down].reduce(
    (sum, { queueDrops, lossDrops }) => sum + queueDrops + lossDrops,
    0,
  );
}

function departuresOf({ link }: TransferPath, proof: PathProof): string[] {
  return link ? useDepartures(link, proof) : [];
}

/** The samples, flagged where their link was not as set before or after them. */
export function withLinkFlags(
  { plan, pathProofs = [] }: TransferRun,
  samples: readonly TransferSample[],
): readonly TransferSample[] {
  const off = new Set(
    pathProofs
      .filter((proof) => {
        const path = plan.paths?.find(({ name }) => name === proof.path);
        return path && departuresOf(path, proof).length > 0;
      })
      .map(({ launch, path }) => `${launch} ${path}`),
  );
  if (off.size === 0) return samples;
  return samples.map((sample) => {
    const isOff = off.has(`${sample.launch} ${sample.cell.path}`);
    if (!isOff || sample.flags.includes('link-off')) return sample;
    return { ...sample, flags: [...sample.flags, 'link-off'] };
  });
}

/** Pairs of paths over one link that differ in one setting: each against the first with the other setting equal. */
export function pathPairs(paths: readonly TransferPath[]): { of: string; against: string }[] {
  return paths.flatMap((own) => {
    if (!own.link) return [];
    const alike = paths.filter(({ link }) => link?.name === own.link?.name);
    const others = [
      alike.find(({ congestion }) => congestion === own.congestion),
      alike.find(({ initialWindow }) => initialWindow === own.initialWindow),
    ];
    return others.flatMap((other) =>
      other && other !== own ? [{ of: own.name, against: other.name }] : [],
    );
  });
}
