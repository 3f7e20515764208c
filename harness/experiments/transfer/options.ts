import type { TransferPlan } from '@cachescope/model/transfer/run.ts';
import {
  connectionStates,
  idlePauseMs,
  transferClients,
  transferProtocols,
} from '@cachescope/model/transfer/sample.ts';
import {
  largestRequestBytes,
  largestResponseBytes,
  longestServerDelayMs,
} from '@cachescope/model/transfer/task.ts';
import { defaultCongestion, defaultInitialWindow } from '@cachescope/model/network/link.ts';
import { transferPaths } from '@cachescope/model/transfer/path.ts';
import { kernelText } from '../../kernel-text.ts';
import { linkSyntax, readLinks } from '../../network/link-reading.ts';
import { integerFrom, type Problems } from '../../options/option-reading.ts';
import { commaSeparated, someOf } from '../../options/name-reading.ts';
import { quantities, quantity } from '../../options/quantity-option.ts';
import { requireUsed } from '../../options/unused-options.ts';
import { commandOptions } from '../../options/option-table.ts';
import { headful, marginOption } from '../../options/shared-options.ts';

/** The parsed options of `transfer`. */
export interface TransferAsked {
  plan: TransferPlan;
  /** URL of an origin elsewhere; null: one is started here. */
  originUrl: string | null;
  /** True: without the means for a link the run is over loopback alone. False: it was asked for by name. */
  mayOmitLink: boolean;
  headful: boolean;
}

/** A round trip of 20 ms: the default run ends within four minutes. */
const defaultLink = '10ms,100Mbit/s';

/** Linux allows more (TCP_INIT_CWND is no limit), and no server uses that. */
const maxInitialWindow = 1000;

function initialWindows(text: string, flag: string, problems: Problems): number[] {
  const read = integerFrom(1, maxInitialWindow);
  return distinct(commaSeparated(text).map((word) => read(word, flag, problems)));
}

/** The names that this machine's kernel offers; a dry run elsewhere checks none. */
function congestions(text: string, flag: string, problems: Problems): string[] {
  const known = kernelText('/proc/sys/net/ipv4/tcp_available_congestion_control');
  const names = commaSeparated(text);
  const unknown = names.filter((name) => !known.trim().split(' ').includes(name));
  if (known !== '' && unknown.length > 0)
    problems.push(`${flag} names ${unknown.join(', ')}; this kernel has ${known.trim()}`);
  return distinct(names);
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

const mostSizes = 100;

function readOrigin(text: string, flag: string, problems: Problems): string | null {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' && url.pathname === '/' && url.username === '') return url.origin;
  problems.push(
    `${flag} ${JSON.stringify(text)} is not the URL of an origin, such as http://10.0.0.2:8042; the ports of its other protocols are discovered`,
  );
  return null;
}

/**
 * The options of `transfer`. The defaults are the requests of 800 bytes of Caffeine's LOWTIDE investigation (2016), and
 * sizes around those that it names.
 */
export const transferOptions = commandOptions(
  {
    sizes: {
      value: '<list>',
      description: 'sizes of the response bodies, such as 35kB; a number alone is in bytes',
      default: '1kB,5kB,10kB,20kB,35kB,70kB,100kB,200kB,300kB,400kB,1MB,2MB',
      read: quantities(
        { kind: 'size', from: '1B', to: `${largestResponseBytes / 1e6}MB`, bare: 'B' },
        mostSizes,
      ),
    },
    requests: {
      value: '<n>',
      description: 'timed requests for each size',
      default: '8',
      read: integerFrom(1, 100_000),
    },
    launches: {
      value: '<n>',
      description: 'browser launches that share the requests',
      default: '4',
      read: integerFrom(1, 1000),
    },
    requestBytes: {
      value: '<size>',
      description: 'size of each request body, such as 35kB; a number alone is in bytes',
      default: '800B',
      read: quantity({ kind: 'size', from: '0B', to: `${largestRequestBytes / 1e6}MB`, bare: 'B' }),
    },
    protocols: {
      value: '<list>',
      description: 'some of h1, h1-tls, h2; the first is the baseline',
      default: transferProtocols.join(','),
      read: someOf(transferProtocols, 'one'),
    },
    connections: {
      value: '<list>',
      description: `cold: one connection for each request; warm: one for all; idle: as warm, after a pause of ${idlePauseMs / 1000} s`,
      default: 'cold,warm',
      read: someOf(connectionStates, 'one'),
    },
    clients: {
      value: '<list>',
      description: 'which clients: chromium, node',
      default: transferClients.join(','),
      read: someOf(transferClients, 'one'),
    },
    origin: {
      value: '<url>',
      description: 'an origin on another machine (default: one is started here)',
      read: readOrigin,
    },
    serverDelay: {
      value: '<ms>',
      description: 'wait of the origin before each response',
      default: '0',
      read: quantity({
        kind: 'time',
        from: '0ms',
        to: `${longestServerDelayMs}ms`,
        bare: 'ms',
      }),
    },
    link: {
      value: '<list>',
      description: `links to the origin (root): ${linkSyntax} (default: none,${defaultLink}; none alone without root or /dev/net/tun)`,
      read: readLinks,
    },
    initialWindow: {
      value: '<list>',
      description: 'initial congestion windows of the origin over a link, segments',
      default: `${defaultInitialWindow}`,
      read: initialWindows,
    },
    congestion: {
      value: '<list>',
      description: 'congestion controls of the origin over a link, such as cubic,bbr,reno',
      default: defaultCongestion,
      read: congestions,
    },
    margin: marginOption,
    headful,
  },
  (values, problems, typed): TransferAsked => {
    const { requests, launches, link, origin, headful } = values;
    if (launches > requests)
      problems.push(
        `--launches ${launches} is above --requests ${requests}: some launches would be empty`,
      );
    if (link !== undefined && origin !== undefined)
      problems.push('--link and --origin exclude each other: with --origin the network is real');
    const { clients, protocols, connections, sizes, requestBytes, seed, margin } = values;
    const hasBrowser = clients.includes('chromium');
    const uses = [
      { options: ['headful'], isUsed: hasBrowser, otherwise: 'only for the client chromium' },
      {
        options: ['initialWindow', 'congestion'],
        isUsed: origin === undefined && (link?.some((each) => each !== null) ?? true),
        otherwise: 'only over a link',
      },
    ];
    requireUsed(typed, uses, problems);
    const chosen = { clients, protocols, connections, requestBytes, launches, seed, margin };
    const counts = { requestsPerCell: requests, serverDelayMs: values.serverDelay };
    const links = link ?? readLinks(`none,${defaultLink}`, '--link', problems);
    const paths = transferPaths(links, values.initialWindow, values.congestion);
    const plan: TransferPlan = {
      ...chosen,
      ...counts,
      sizesBytes: sizes,
      ...(origin === undefined && { paths }),
    };
    return { plan, originUrl: origin ?? null, mayOmitLink: link === undefined, headful };
  },
);
