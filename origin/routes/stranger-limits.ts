import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../command-line.ts';

/** Time limit for receiving a request's body, ms: 64 MB at 5 Mbit/s take 103 s. */
const bodyLimitMs = 120_000;

/** Requests a second from one address to an origin that is open to a network, and the burst allowed after a pause. */
const rateHz = 5000;
const burst = 10_000;
/** Maximum number of concurrent connections to such an origin. */
const mostConnections = 512;
/** Maximum number of addresses whose rate is tracked. */
const mostAddresses = 1000;

interface Destroyable {
  destroy(): void;
}

/** Remaining requests of an address (token bucket). */
interface Allowance {
  left: number;
  at: number;
}

/**
 * Ends requests whose body does not end in time: a client that sends a byte a minute would hold a connection forever.
 */
export function limitBodyTime(server: FastifyInstance, limitMs = bodyLimitMs): void {
  server.addHook('onRequest', (request, _reply, next) => {
    const { raw } = request;
    if (raw.method !== 'GET' && raw.method !== 'HEAD') {
      // Node's request of HTTP/2 ends only itself, and not its stream.
      const { stream = raw } = raw as typeof raw & { stream?: Destroyable };
      const timer = setTimeout(() => stream.destroy(), limitMs).unref();
      for (const end of ['end', 'close']) raw.once(end, () => clearTimeout(timer));
    }
    next();
  });
}

/**
 * Limits the request rate and the number of connections on an address that other machines can reach. On loopback there
 * is no limit.
 */
export function limitStrangers(server: FastifyInstance, host: string, now = Date.now): void {
  if (isLoopback(host)) return;
  server.server.maxConnections = mostConnections;
  const allowances = new Map<string, Allowance>();
  server.addHook('onRequest', (request: FastifyRequest, reply, next) => {
    const { left, at } = allowances.get(request.ip) ?? { left: burst, at: now() };
    const grown = Math.min(burst, left + ((now() - at) * rateHz) / 1000);
    // The address without requests for the longest time is dropped first.
    allowances.delete(request.ip);
    allowances.set(request.ip, { left: Math.max(0, grown - 1), at: now() });
    const [quietest] = allowances.keys();
    if (allowances.size > mostAddresses && quietest !== undefined) allowances.delete(quietest);
    if (grown >= 1) return next();
    return reply.code(429).header('retry-after', '1').send('Too many requests\n');
  });
}
