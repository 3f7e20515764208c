import { createHash, X509Certificate } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';

/** A running server over TLS. */
export interface SecureServer {
  /** For example `https://localhost:41234`. */
  url: string;
  /**
   * SHA-256 of the certificate's public key (SubjectPublicKeyInfo), base64: a browser started with
   * `--ignore-certificate-errors-spki-list=` trusts it. (`--ignore-certificate-errors` would disable the HTTP cache.)
   */
  publicKeySha256: string;
  close(): Promise<void>;
}

/** A self-signed certificate for `localhost`, PEM. */
export interface Certificate {
  key: string;
  cert: string;
  /** Hash of its public key, base64. */
  publicKeySha256: string;
}

export interface SecureServerOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** False: only HTTP/1.1. Default true: only HTTP/2. */
  http2?: boolean;
  /** Default: created at the start. */
  certificate?: Certificate;
  /** An HTTP/2 connection without requests for this time is closed, ms; default 1000. */
  idleLimitMs?: number;
}

/** Creates a certificate that is valid for a week and stored nowhere. */
export async function makeCertificate(): Promise<Certificate> {
  // It has 230 modules: they are loaded only where a certificate is made.
  const { generate } = await import('selfsigned');
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + 7 * 24 * 3600 * 1000),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const publicKeySha256 = createHash('sha256').update(publicKey).digest('base64');
  return { key, cert, publicKeySha256 };
}

/** Starts a server over TLS; by default HTTP/2 on loopback, any free port. */
export async function startSecureServer(
  register: (server: FastifyInstance) => void,
  options: SecureServerOptions = {},
): Promise<SecureServer> {
  const { host = '127.0.0.1', port = 0, http2 = true, idleLimitMs = 1000 } = options;
  const { key, cert, publicKeySha256 } = options.certificate ?? (await makeCertificate());
  const https = { key, cert };
  const server = http2
    ? fastify({ http2: true, https, http2SessionTimeout: idleLimitMs })
    : fastify({ https, forceCloseConnections: true });
  // Routes do not depend on the protocol of the request.
  register(server as unknown as FastifyInstance);
  const address = await server.listen({ host, port });
  return {
    url: `https://localhost:${new URL(address).port}`,
    publicKeySha256,
    close: () => server.close(),
  };
}
