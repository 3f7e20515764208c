import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { linkKind, type TransferLink } from '@cachescope/model/transfer/link.ts';
import type { TransferProtocol } from '@cachescope/model/transfer/sample.ts';
import {
  type TransferDescription,
  transferDescriptionSchema,
  transferPath,
} from '@cachescope/model/transfer/task.ts';
import { machineId } from '@cachescope/origin/transfer-servers.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';

/** Time limits for the start and for the answers of an origin, ms. */
const startLimitMs = 60_000;
const answerLimitMs = 30_000;

/** An origin that serves transfers. */
export interface TransferPlace {
  /** Base URL of each protocol: `https://10.0.0.2:41234`. */
  bases: Record<TransferProtocol, string>;
  description: TransferDescription;
  link: TransferLink;
}

/**
 * Starts an origin as a separate process, so that client and origin share no event loop. `host`: the address of this
 * machine on which it listens. `resources` ends it.
 */
export async function startOwnOrigin(
  host: string,
  resources: AsyncDisposableStack,
): Promise<string> {
  const program = fileURLToPath(import.meta.resolve('@cachescope/origin/cli.ts'));
  const origin = [process.execPath, program, '--host', host, '--port', '0'];
  // A workload that is generated quickly. The origin ends with its stdin, so it also ends when this process is killed.
  const short = ['--workload', 'synthetic:1KiB', '--until-stdin-ends'];
  const command: string[] = [...origin, ...short];
  // In its own process group: Ctrl-C in a terminal first lets the sample end.
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = once(child, 'exit').catch(() => []);
  resources.defer(async () => {
    child.stdin.end();
    child.kill('SIGTERM');
    await withTimeLimit('Ending the origin', answerLimitMs, exited).catch(() =>
      child.kill('SIGKILL'),
    );
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const died = exited.then(() => {
    throw new CachescopeError('CS_TRANSFER_ORIGIN', `the origin did not start: ${said.trim()}`);
  });
  // This rejects when the origin ends normally too, and nobody awaits it then.
  died.catch(() => undefined);
  const [url] = await withTimeLimit(
    'Starting the origin',
    startLimitMs,
    Promise.race([line, died]),
  );
  return url;
}

/**
 * Asks an origin where it serves each protocol, and determines the kind of link to it.
 *
 * @throws CachescopeError CS_TRANSFER_ORIGIN when it does not answer or serves no transfers.
 */
export async function describeOrigin(url: string): Promise<TransferPlace> {
  const { hostname, origin } = new URL(url);
  const { success, data: description } = transferDescriptionSchema.safeParse(
    await descriptionOf(origin),
  );
  if (!success)
    throw originError(origin, 'its description does not match this version of Cachescope');
  const { ports } = description;
  return {
    bases: {
      h1: origin,
      'h1-tls': `https://${hostname}:${ports['h1-tls']}`,
      h2: `https://${hostname}:${ports.h2}`,
    },
    description,
    link: {
      kind: linkKind(hostname, description.machine, machineId()),
      host: hostname,
      emulatedRoundTripMs: null,
    },
  };
}

async function descriptionOf(origin: string): Promise<unknown> {
  try {
    const response = await fetch(origin + transferPath, {
      signal: AbortSignal.timeout(answerLimitMs),
    });
    if (!response.ok) throw new Error(`it answered ${transferPath} with status ${response.status}`);
    return JSON.parse(await textOf(response));
  } catch (error) {
    throw originError(
      origin,
      error instanceof TypeError ? messageOf(error.cause) : messageOf(error),
    );
  }
}

/** A description is a certificate and some numbers; a server that sends more is not Cachescope's origin. */
const mostDescriptionBytes = 64 * 1024;

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk as Uint8Array);
    length += (chunk as Uint8Array).byteLength;
    if (length > mostDescriptionBytes)
      throw new Error(`it answered ${transferPath} with more than ${mostDescriptionBytes} bytes`);
  }
  return Buffer.concat(chunks).toString();
}

/** The error for a server that does not behave like Cachescope's origin. */
export function originError(origin: string, reason: string): CachescopeError {
  return new CachescopeError('CS_TRANSFER_ORIGIN', `${origin} serves no transfers: ${reason}`, {
    hint: 'Start it there with: npm run origin -- --host ADDRESS, and name the URL that it prints.',
  });
}
