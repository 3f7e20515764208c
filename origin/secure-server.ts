import { createHash, X509Certificate } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { generate } from 'selfsigned';

/** A running HTTP/2 server over TLS. */
export interface SecureServer {
  /** For example `https://localhost:41234`. */
  url: string;
  /**
   * SHA-256 of the certificate's public key (SubjectPublicKeyInfo), base64: a browser trusts it when started with
   * `--ignore-certificate-errors-spki-list=`. (`--ignore-certificate-errors` would switch the HTTP cache off.)
   */
  publicKeySha256: string;
  close(): Promise<void>;
}

async function certificate() {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + 7 * 24 * 3600 * 1000),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const publicKeySha256 = createHash('sha256').update(publicKey).digest('base64');
  return { key, cert, publicKeySha256 };
}

/** Starts an HTTP/2 server on loopback, any free port, with a certificate that is made now and kept nowhere. */
export async function startSecureServer(
  register: (server: FastifyInstance) => void,
): Promise<SecureServer> {
  const { key, cert, publicKeySha256 } = await certificate();
  const server = fastify({ http2: true, https: { key, cert }, http2SessionTimeout: 1000 });
  // Routes do not see which protocol carried the request.
  register(server as unknown as FastifyInstance);
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `https://localhost:${new URL(address).port}`,
    publicKeySha256,
    close: () => server.close(),
  };
}
