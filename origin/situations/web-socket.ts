import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RequestLog } from '../request-log.ts';

/** RFC 6455 section 1.3. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Accepts the WebSockets (RFC 6455) that `isSocket` allows, says nothing in them, and closes each when the page does.
 * Each is in the request log with status 101.
 */
export function acceptSockets(
  server: Server,
  log: RequestLog,
  isSocket: (path: string) => boolean,
): void {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    const { url: path = '', headers } = request;
    const key = headers['sec-websocket-key'];
    if (!isSocket(path) || key === undefined) return stream.destroy();
    const entry = log.append({
      receivedAt: new Date().toISOString(),
      method: 'GET',
      path,
      host: headers.host ?? '',
      acceptEncoding: null,
      availableDictionary: null,
      dictionaryId: null,
      secFetchSite: null,
      secFetchMode: null,
      secFetchDest: null,
      userAgent: headers['user-agent'] ?? null,
    });
    entry.status = 101;
    log.changed();
    const accept = createHash('sha1')
      .update(key + acceptSuffix)
      .digest('base64');
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    // The first frame is the page's close frame: a normal closure, without a mask, answers it.
    stream.once('data', () => stream.end(Buffer.from([0x88, 0x02, 0x03, 0xe8])));
    return stream.on('error', () => stream.destroy());
  });
}
