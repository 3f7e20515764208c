import { traceBrowser } from '../../harness/browser/browser-trace.ts';
import { tracedRequest } from '../../harness/trace/netlog-request.ts';
import { withTracedBrowser } from './traced-browser.ts';

const gigabyte = 1e9;
const pieceBytes = 1024 * 1024;
/** The categories a person would trace with, and those of a sweep's traced read. */
const sets = {
  'netlog, loading, net, disk_cache, devtools.timeline, toplevel':
    'netlog,loading,net,disk_cache,devtools.timeline,toplevel,blink.user_timing',
  'netlog alone': 'netlog,blink.user_timing',
};

/** Speed and memory use of reading a trace of a gigabyte. */
export async function measureTraceParser(): Promise<void> {
  for (const [name, categories] of Object.entries(sets)) {
    const text = await recorded(categories.split(','));
    const before = process.memoryUsage.rss();
    let peak = before;
    const start = performance.now();
    const cpu = process.cpuUsage();
    const { scanned } = await tracedRequest(
      repeated(text, () => (peak = Math.max(peak, process.memoryUsage.rss()))),
      'http://127.0.0.1/none',
    );
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
    console.log(
      `${name}: ${megabytes(scanned.bytes)} MB, ${scanned.events} events in ${seconds.toFixed(1)} s: ` +
        `${megabytes(scanned.bytes / seconds)} MB/s (goal: 150), ${megabytes(scanned.bytes / ((user + system) / 1e6))} MB a second of processor time, ${megabytes(peak - before)} MB more memory at most`,
    );
  }
}

/** A trace of some cached reads, as Chromium writes it. */
function recorded(categories: readonly string[]): Promise<string> {
  return withTracedBrowser(async ({ root, read }) => {
    const { trace } = await traceBrowser(root, categories, async () => {
      for (let index = 0; index < 10; index++) await read(index % 2 === 0 ? '1kb' : '1mb', true);
    });
    const pieces: Buffer[] = [];
    for await (const piece of trace.pieces) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces).toString();
  });
}

/** A trace with its events repeated, until it has a gigabyte. */
async function* repeated(text: string, look: () => void): AsyncGenerator<Uint8Array> {
  const begin = text.indexOf('\n') + 1;
  const end = text.indexOf('}],"metadata"');
  const events = Buffer.from(`${text.slice(begin, end)}},\n`);
  const copies = Math.max(1, Math.round((8 * pieceBytes) / events.length));
  const block = Buffer.concat(Array.from({ length: copies }, () => events));
  yield Buffer.from(text.slice(0, begin));
  for (let bytes = 0; bytes < gigabyte; bytes += block.length) {
    for (let at = 0; at < block.length; at += pieceBytes) yield block.subarray(at, at + pieceBytes);
    look();
  }
  yield Buffer.from(text.slice(begin));
}
