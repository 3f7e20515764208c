import type { TransferMessage, TransferOrder } from '@cachescope/model/transfer/task.ts';
import { type LaunchOptions, launchBrowser } from '../../browser/launch.ts';
import { CachescopeError } from '../../error.ts';
import { PageOrders } from '../../lab/page-orders.ts';
import { PageServer } from '../../lab/page-server.ts';
import { withTimeLimit } from '../../time-limit.ts';
import { taskLimitMs, type TransferClientAtWork } from './client.ts';
import { transferPage } from './page.ts';

/** Time limit for the first message of the page, ms. */
const readyLimitMs = 60_000;

/** A launched Chromium with the page that sends requests, and no debugger attached to it. */
export interface TransferBrowser extends TransferClientAtWork {
  chromium: { version: string; path: string; flags: string[] };
  timerStepMs: number;
}

/**
 * Flags that let Chromium reach the origin: its certificate is pinned by its public key, and no other host outside this
 * machine can be reached. (`--ignore-certificate-errors` would accept any certificate.) Behind a link the rules of every
 * launch suffice.
 */
export function transferFlags(
  host: string,
  publicKeySha256: string,
  behindLink: boolean,
): string[] {
  const rules = `MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE ${host}`;
  return [
    `--ignore-certificate-errors-spki-list=${publicKeySha256}`,
    ...(behindLink ? [] : [`--host-resolver-rules=${rules}`]),
  ];
}

/** Starts Chromium and opens the page in it. */
export async function launchTransferBrowser(options: LaunchOptions): Promise<TransferBrowser> {
  const resources = new AsyncDisposableStack();
  try {
    const orders = new PageOrders<TransferMessage, TransferOrder>();
    const server = new PageServer(transferPage, (message: TransferMessage) => orders.next(message));
    const url = await server.open(options.link?.host);
    resources.defer(() => {
      orders.end({ kind: 'end' });
      return server.close();
    });
    const launched = await launchBrowser(options);
    resources.defer(() => launched.close());
    const { crashed } = launched;
    const { timerStepMs } = await Promise.race([launched.instrument.open(url), crashed]);
    const within = (what: string, limitMs: number, work: Promise<TransferMessage>) =>
      withTimeLimit(what, limitMs, Promise.race([work, crashed]));
    await within('The page that sends requests', readyLimitMs, orders.message);
    const { version, flags } = launched;
    return {
      chromium: { version, path: options.executablePath, flags },
      timerStepMs,
      async perform(task) {
        const what = `${task.requests} requests for ${task.responseBytes} bytes of ${task.baseUrl}`;
        const message = await within(
          what,
          taskLimitMs(task),
          orders.perform({ kind: 'time', task }),
        );
        if (message.kind === 'done') return message.taken;
        const reason = message.kind === 'failed' ? message.reason : 'the page was reloaded';
        throw new CachescopeError('CS_TRANSFER_PAGE', `${what}: ${reason}`, {
          hint: 'Check that the origin still runs and can be reached from this machine.',
        });
      },
      close: () => resources.disposeAsync(),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}
