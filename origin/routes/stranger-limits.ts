import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../command-line.ts';

/** How long a request's body may take to come, ms: 64 MB at 5 Mbit/s take 103 s. */
const bodyLimitMs = 120_000;

/** Requests a second that one address may send an origin that is open to a network, and how many at once after a pause. */
const rateHz = 5000;
const burst = 10_000;
/** Connections of such an origin at one time. */
const mostConnections = 512;
/** Addresses whose rate is remembered. */
const mostAddresses = 1000;

/** What an address may still send. */
interface Allowance {
  left: number;
  at: number;
}

/** Ends requests whose body does not come to its end: whoever sends a byte a minute would hold a connection for ever. */
export function limitBodyTime(server: FastifyInstance, limitMs = bodyLimitMs): void {
  server.addHook('onRequest', (request, _reply, next) => {
    const { raw } = request;
    if (raw.method !== 'GET' && raw.method !== 'HEAD') {
      const timer = setTimeout(() => raw.destroy(), limitMs).unref();
      for (const end of ['end', 'close']) raw.once(end, () => clearTimeout(timer));
    }
    next();
  });
}

/** On an address that others reach: so many requests and connections and no more. On loopback there is no limit. */
export function limitStrangers(server: FastifyInstance, host: string, now = Date.now): void {
  if (isLoopback(host)) return;
  server.server.maxConnections = mostConnections;
  const allowances = new Map<string, Allowance>();
  server.addHook('onRequest', (request: FastifyRequest, reply, next) => {
    const { left, at } = allowances.get(request.ip) ?? { left: burst, at: now() };
    const grown = Math.min(burst, left + ((now() - at) * rateHz) / 1000);
    // The address that was quiet for longest goes first.
    allowances.delete(request.ip);
    allowances.set(request.ip, { left: Math.max(0, grown - 1), at: now() });
    const [quietest] = allowances.keys();
    if (allowances.size > mostAddresses && quietest !== undefined) allowances.delete(quietest);
    if (grown >= 1) return next();
    return reply.code(429).header('retry-after', '1').send('Too many requests\n');
  });
}
