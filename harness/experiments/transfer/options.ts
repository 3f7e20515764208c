import type { TransferPlan } from '@cachescope/model/transfer/run.ts';
import {
  connectionStates,
  transferClients,
  transferProtocols,
} from '@cachescope/model/transfer/sample.ts';
import {
  largestRequestBytes,
  largestResponseBytes,
  longestServerDelayMs,
} from '@cachescope/model/transfer/task.ts';
import { integerFrom, type Problems } from '../../options/option-reading.ts';
import { someOf } from '../../options/name-reading.ts';
import { quantities, quantity } from '../../options/quantity-option.ts';
import { requireUsed } from '../../options/unused-options.ts';
import { commandOptions } from '../../options/option-table.ts';
import { headful, marginOption } from '../../options/shared-options.ts';

/** The parsed options of `transfer`. */
export interface TransferAsked {
  plan: TransferPlan;
  /** URL of an origin elsewhere; null: one is started here. */
  originUrl: string | null;
  /** Round trip that a network emulator adds, ms; null: none. */
  netemMs: number | null;
  headful: boolean;
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
 * The options of `transfer`. The defaults are the 100 requests of 800 bytes of Caffeine's LOWTIDE investigation (2016),
 * and sizes around those that it names.
 */
export const transferOptions = commandOptions(
  {
    sizes: {
      value: '<list>',
      description: 'sizes of the response bodies, such as 35kB; a number alone is in bytes',
      default: '1kB,2kB,5kB,10kB,20kB,35kB,70kB,100kB,200kB,300kB,400kB,700kB,1MB,2MB',
      read: quantities(
        { kind: 'size', from: '1B', to: `${largestResponseBytes / 1e6}MB`, bare: 'B' },
        mostSizes,
      ),
    },
    requests: {
      value: '<n>',
      description: 'timed requests for each size',
      default: '100',
      read: integerFrom(1, 100_000),
    },
    launches: {
      value: '<n>',
      description: 'browser launches that share the requests',
      default: '10',
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
      description: 'cold: one connection for each request; warm: one for all',
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
    netem: {
      value: '<ms>',
      description: 'emulate this round trip in a network namespace (needs root)',
      read: quantity({ kind: 'time', from: '0.1ms', to: '2s', bare: 'ms' }),
    },
    margin: marginOption,
    headful,
  },
  (values, problems, typed): TransferAsked => {
    const { requests, launches, netem = null, origin, headful } = values;
    if (launches > requests)
      problems.push(
        `--launches ${launches} is above --requests ${requests}: some launches would be empty`,
      );
    if (netem !== null && origin !== undefined)
      problems.push('--netem and --origin exclude each other: with --origin the network is real');
    const { clients, protocols, connections, sizes, requestBytes, seed, margin } = values;
    const hasBrowser = clients.includes('chromium');
    const uses = [
      { options: ['headful'], isUsed: hasBrowser, otherwise: 'only for the client chromium' },
    ];
    requireUsed(typed, uses, problems);
    const chosen = { clients, protocols, connections, requestBytes, launches, seed, margin };
    const counts = { requestsPerCell: requests, serverDelayMs: values.serverDelay };
    const plan: TransferPlan = { ...chosen, ...counts, sizesBytes: sizes };
    return { plan, originUrl: origin ?? null, netemMs: netem, headful };
  },
);
