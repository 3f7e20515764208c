import type { LinkEnd } from '../network/emulated-link.ts';
/** How nginx treats requests for a file that is still arriving, by the directives of its proxy module. */
export type NginxMode = 'pass' | 'lock' | 'tempfiles';

/** Where an nginx runs, and as whom. */
export interface NginxPlace {
  /** To listen on. */
  port: number;
  /** Directory of its own, for everything it writes. */
  directory: string;
  /** Unprivileged user and group, when it is started as root; null: as it is started. */
  user: string | null;
}

export interface NginxOptions extends NginxPlace {
  mode: NginxMode;
  /** Host and port of the origin. */
  origin: string;
  /** Requests at the same time. */
  workers: number;
  /** Share of it that the cache may take, bytes. */
  limitBytes: number;
  /** The link over which it is reached, besides loopback; absent: none. */
  link?: Pick<LinkEnd, 'host' | 'client'> | undefined;
  /** How long the origin takes to send one file, ms; default 0. */
  fileMs?: number;
}

/** How much longer than the origin a file may take on a busy machine before nginx passes those that wait, ms. */
const lockSlackMs = 60_000;

/** The patch's own directive takes the place of the lock. */
const collapsing: Record<NginxMode, string> = {
  pass: 'proxy_cache_lock off;',
  lock: 'proxy_cache_lock on;',
  tempfiles: 'proxy_cache_tempfile on;',
};

/** nginx's configuration as the benchmark has it: everything goes to the origin, with caching. */
export function nginxConfig(options: NginxOptions): string {
  const { mode, origin, port, directory, workers, user, limitBytes, link, fileMs = 0 } = options;
  const limitMiB = Math.max(1, Math.floor(limitBytes / 1024 ** 2));
  // Each reader has a connection to nginx, and, when it passes, one to the origin.
  const connections = 2 * workers + 64;
  // By default it waits 5 s and then asks for each reader by itself: a longer file would be no lock any more.
  const lockMs = Math.ceil(fileMs) + lockSlackMs;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${quoted(`${directory}/temp/${kind}`)};`,
  );
  return [
    ...(user === null ? [] : [`user ${user};`]),
    'daemon off;',
    'worker_processes auto;',
    `worker_rlimit_nofile ${2 * connections + 64};`,
    `pid ${quoted(`${directory}/nginx.pid`)};`,
    `error_log ${quoted(`${directory}/error.log`)} warn;`,
    `events { worker_connections ${connections}; }`,
    'http {',
    '  access_log off;',
    '  sendfile on;',
    '  tcp_nodelay on;',
    '  default_type application/octet-stream;',
    ...temporary,
    `  proxy_cache_path ${quoted(`${directory}/cache`)} levels=1:2 keys_zone=fill:10m max_size=${limitMiB}m inactive=1h use_temp_path=off;`,
    `  upstream origin { server ${origin}; keepalive 64; }`,
    '  server {',
    `    listen 127.0.0.1:${port} backlog=4096;`,
    ...(link ? overLink(link, port) : []),
    '    location / {',
    '      proxy_pass http://origin;',
    '      proxy_http_version 1.1;',
    '      proxy_set_header Connection "";',
    '      proxy_cache fill;',
    `      ${collapsing[mode]}`,
    `      proxy_cache_lock_timeout ${lockMs}ms;`,
    `      proxy_cache_lock_age ${lockMs}ms;`,
    '      add_header X-Cache-Status $upstream_cache_status always;',
    '    }',
    '  }',
    '}',
    '',
  ].join('\n');
}

/** A path as nginx reads one; `\`, `"` and `$` would mean something to it. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\$]/g, String.raw`\$&`)}"`;
}

/** Only the link's clients reach it there: Linux takes packets for this address from any network. */
function overLink({ host, client }: Pick<LinkEnd, 'host' | 'client'>, port: number): string[] {
  return [
    `    listen ${host}:${port} backlog=4096;`,
    '    allow 127.0.0.1;',
    `    allow ${client};`,
    '    deny all;',
  ];
}
