import type { Server } from 'node:net';
import {
  defaultCongestion,
  defaultInitialWindow,
  type Link,
  type LinkUse,
} from '@cachescope/model/network/link.ts';
import { useDepartures } from '@cachescope/model/network/proof.ts';
import { which } from 'zx';
import { installPackages } from '../environment/packages.ts';
import { messageOf } from '../error.ts';
import {
  bringUpLink,
  type EmulatedLink,
  type LinkEnd,
  linkError,
  linkLack,
} from '../network/emulated-link.ts';
import { listenToo } from '../network/second-address.ts';
import type { Privilege } from '../privilege.ts';

/** The tools of an experiment that a link needs. */
interface LinkTools {
  privilege: Privilege;
  say: (line: string) => void;
}

/** The emulated link of a run, or none. */
export interface RunLink {
  /** Where browsers and other clients run; undefined: there is no link, they run here. */
  end: LinkEnd | undefined;
  /** As typed, for run.json; undefined: there is no link. */
  name: string | undefined;
  /** Lets a server that listens on loopback be reached over the link too, on the same port. */
  serve(server: Server): Promise<void>;
  /** Measures over the link, which is proved before and after. `link-off` among the flags: it was not as set. */
  proven<Result>(work: () => Promise<Result>): Promise<{ result: Result; flags: 'link-off'[] }>;
}

/** Loopback. */
export const noLink: RunLink = {
  end: undefined,
  name: undefined,
  serve: () => Promise.resolve(),
  proven: async (work) => ({ result: await work(), flags: [] }),
};

/**
 * Brings up the link of a plan; `resources` removes it. `keep` is called with each proof, `warn` with a sentence where the
 * link was not as set.
 *
 * @throws CachescopeError CS_LINK (exit code 3) where the machine cannot emulate a link.
 */
export async function openRunLink(
  link: Link | undefined,
  privilege: Privilege,
  resources: AsyncDisposableStack,
  to: { keep: (use: LinkUse) => void; warn: (sentence: string) => void },
): Promise<RunLink> {
  if (!link) return noLink;
  const emulated = await setUp(link, privilege, resources, defaultInitialWindow);
  const { host, client, enter } = emulated;
  const end = { host, client, enter };
  return {
    end,
    name: link.name,
    async serve(server) {
      const other = await listenToo(server, emulated);
      resources.defer(() => void other.close());
    },
    async proven(work) {
      const before = await emulated.prove(link);
      const result = await work();
      const counts = await emulated.counts();
      const use = { before, after: await emulated.prove(link), counts };
      to.keep(use);
      const departures = useDepartures(link, use);
      for (const sentence of departures) to.warn(`The link was not as set: ${sentence}.`);
      return { result, flags: departures.length > 0 ? ['link-off'] : [] };
    },
  };
}

async function setUp(
  link: Link,
  privilege: Privilege,
  resources: AsyncDisposableStack,
  initialWindow: number,
): Promise<EmulatedLink> {
  const emulated = await bringUpLink(privilege, resources);
  await emulated.set(link, { initialWindow, congestion: defaultCongestion });
  return emulated;
}

/** In a dry run: prints the commands of a link. */
export async function dryRunLink(
  link: Link | undefined,
  { privilege, say }: LinkTools,
  initialWindow = defaultInitialWindow,
): Promise<void> {
  if (!link) return;
  const lack = linkLack();
  if (lack !== null) say(`Would be refused here: ${lack}. The commands:`);
  await using resources = new AsyncDisposableStack();
  await setUp(link, privilege, resources, initialWindow);
}

/** @throws CachescopeError CS_LINK (exit code 3) where this machine cannot emulate the link of a plan. */
export async function requireLink(link: Link | undefined, tools: LinkTools): Promise<void> {
  const lack = link && (await whyNoLink(tools));
  if (lack) throw linkError(lack);
}

/** Why this machine cannot emulate a link; null: it can. Missing packages are installed. */
export async function whyNoLink({ privilege, say }: LinkTools): Promise<string | null> {
  const lack = linkLack();
  if (lack !== null) return lack;
  try {
    await privilege.run(['true']);
    const packages = { ip: 'iproute2', python3: 'python3' };
    const missing: string[] = [];
    for (const [program, name] of Object.entries(packages))
      if ((await which(program, { nothrow: true })) === null) missing.push(name);
    await installPackages(missing, 'An emulated link', privilege, say);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
