import { Command } from 'commander';
import { OriginError } from './error.ts';
import { startOrigin } from './server.ts';
import { catalog, findWorkload } from './workloads/catalog.ts';
import { userWorkload } from './workloads/user-pair.ts';
import type { Workload } from './workloads/workload.ts';

interface Flags {
  host: string;
  port: string;
  workload?: string;
  dictionary?: string;
  resource?: string;
  brQuality?: string;
  dcbQuality?: string;
}

async function workloadsOf(flags: Flags): Promise<Workload[]> {
  const workloads =
    flags.workload === undefined ? await catalog() : [await findWorkload(flags.workload)];
  if (flags.dictionary === undefined && flags.resource === undefined) return workloads;
  if (flags.dictionary === undefined || flags.resource === undefined) {
    throw new OriginError(
      'CS_USAGE',
      '--dictionary and --resource go together: the older and the newer version of a file',
    );
  }
  return [await userWorkload(flags.dictionary, flags.resource), ...workloads];
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new OriginError(
    'CS_USAGE',
    `--port is ${JSON.stringify(text)}; it must be a whole number from 0 to 65535`,
  );
}

async function serve(flags: Flags): Promise<void> {
  const origin = await startOrigin({
    host: flags.host,
    port: readPort(flags.port),
    workloads: await workloadsOf(flags),
    qualities: {
      ...(flags.brQuality === undefined ? {} : { br: Number(flags.brQuality) }),
      ...(flags.dcbQuality === undefined ? {} : { dcb: Number(flags.dcbQuality) }),
    },
  });
  process.stdout.write(`${origin.url}\n`);
  process.stderr.write(`Token of the control routes: ${origin.token}\nStop with Ctrl-C.\n`);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void origin.close());
}

function messageOf(error: unknown): string {
  if (error instanceof OriginError) return `${error.code}: ${error.message}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return 'CS_ORIGIN_PORT: the port is taken by another program; choose another with --port, or 0 for any';
  return (error as Error).stack ?? String(error);
}

const command = new Command('origin')
  .description(
    'Serves workloads in every content coding, dictionaries included (RFC 9842), until it is stopped.',
  )
  .option(
    '--host <address>',
    'address to listen on; another than loopback is open to the network',
    '127.0.0.1',
  )
  .option('--port <n>', 'port; 0 for any free one', '8042')
  .option('--workload <name>', 'pdfjs, three or synthetic:SIZE (default: all real ones)')
  .option('--dictionary <file>', 'your own pair: the older version')
  .option('--resource <file>', 'your own pair: the newer version')
  .option('--br-quality <n>', 'Brotli quality, 0 to 11 (default: 5)')
  .option('--dcb-quality <n>', 'quality of DCB, 5 to 11 (default: 5)')
  .action(serve);

try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = error instanceof OriginError && error.code === 'CS_USAGE' ? 2 : 1;
}
