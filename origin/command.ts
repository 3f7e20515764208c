import { Command } from 'commander';
import { exposureWarning, type OriginFlags, readCommandLine } from './command-line.ts';
import { defaultQualities } from './encoding/qualities.ts';
import { OriginError } from './error.ts';
import { startOrigin } from './server.ts';

/** Signals closer together than this count as one: a terminal and npm each pass on the same Ctrl-C, ms. */
const sameWishMs = 400;

async function serve(
  flags: OriginFlags & { untilStdinEnds: boolean },
  { args }: Command,
): Promise<void> {
  const options = await readCommandLine(flags, args);
  const warning = exposureWarning(options.host);
  if (warning !== null) process.stderr.write(`${warning}\n`);
  const origin = await startOrigin(options).catch((error) => {
    throw listenError(error);
  });
  let stoppedAt: number | null = null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stoppedAt === null) void origin.close();
      else if (Date.now() - stoppedAt >= sameWishMs) process.exit(130);
      stoppedAt ??= Date.now();
    });
  process.stdout.write(`${origin.url}\n`);
  process.stderr.write(`Token of the control routes: ${origin.token}\nStop with Ctrl-C.\n`);
  if (flags.untilStdinEnds) process.stdin.once('end', () => void origin.close()).resume();
}

/** For an address that cannot be listened on, the registered error; any other error unchanged. */
function listenError(error: NodeJS.ErrnoException): Error {
  const { code, message } = error;
  if (code === 'EADDRINUSE')
    return new OriginError(
      'CS_ORIGIN_PORT',
      `${message}; choose another with --port or --tls-port, or 0 for any free one`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES')
    return new OriginError(
      'CS_ORIGIN_ADDRESS',
      `${message}; choose another with --host, --port or --tls-port`,
    );
  return error;
}

const examples = `
Examples:
  npm run origin
  npm run origin -- --workload three --port 0
  npm run origin -- --dictionary old.js --resource new.js`;

/** `cachescope origin`: the server alone. */
export function originCommand(): Command {
  return (
    new Command('origin')
      .summary('the server alone, with a page that loads each workload and coding')
      .description(
        'Serves workloads in every content coding, dictionaries included (RFC 9842), until it is stopped.',
      )
      .option(
        '--host <address>',
        'address to listen on; another than loopback is open to the network',
        '127.0.0.1',
      )
      .option('--port <n>', 'port; 0 for any free one', '8042')
      .option(
        '--tls-port <n>',
        'port of npm run transfer over TLS: HTTP/1.1; HTTP/2 on the next; 0 for free ones',
        '0',
      )
      .option('--workload <name>', 'pdfjs, three or synthetic:SIZE (default: all real ones)')
      .option('--dictionary <file>', 'your own pair: the older version')
      .option('--resource <file>', 'your own pair: the newer version')
      .option('--gzip-quality <n>', `1 to 9 (default: ${defaultQualities.gzip})`)
      .option('--brotli-quality <n>', `0 to 11 (default: ${defaultQualities.br})`)
      .option('--zstd-quality <n>', `1 to 19 (default: ${defaultQualities.zstd})`)
      .option('--dcb-quality <n>', `5 to 11 (default: ${defaultQualities.dcb})`)
      .option('--dcz-quality <n>', `1 to 19 (default: ${defaultQualities.dcz})`)
      .option('--until-stdin-ends', 'stop when standard input ends', false)
      .addHelpText('after', examples)
      // Commander would stop at the first unknown option; they are reported together with all other problems.
      .allowUnknownOption()
      .allowExcessArguments()
      .action(serve)
  );
}
