import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function outputOf(program: string, ...args: string[]): string {
  // npm's own variables, set where `npm run` started this program, would hide the user's settings.
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_'));
  const options = { encoding: 'utf8', env: Object.fromEntries(entries), cwd: '/' } as const;
  return (spawnSync(program, args, options).stdout ?? '').trim();
}

/** The mirror of Debian that this computer's apt uses; null when it uses none. */
export function debianMirror(): string | null {
  const format = '$(REPO_URI) $(ORIGIN) $(RELEASE)';
  const lines = outputOf('apt-get', 'indextargets', '--format', format, 'Created-By: Packages');
  const main = lines
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, origin, release = '']) => origin === 'Debian' && !/security|updates/.test(release));
  return main?.[0] ?? null;
}

/** apt's proxies, as a file of its configuration. */
function aptProxies(): string {
  const lines = outputOf('apt-config', 'dump', '--format', '%F "%v";%n', 'Acquire').split('\n');
  return lines.filter((line) => /::Proxy(::\S*)? /.test(line)).join('\n');
}

const npmSettings = ['registry', 'proxy', 'https-proxy', 'noproxy', 'cafile'] as const;

/** npm's settings of this computer that decide how the registry is reached. */
function npmConfiguration(): Record<string, string> {
  const values = npmSettings.map((name) => [name, outputOf('npm', 'config', 'get', name)] as const);
  return Object.fromEntries(
    values.filter(([, value]) => !['', 'null', 'undefined'].includes(value)),
  );
}

/** Files in which this computer keeps the certificates that npm and Node trust. */
function certificateFiles(): string[] {
  const files = [npmConfiguration()['cafile'], process.env['NODE_EXTRA_CA_CERTS']];
  return files.filter((file) => file !== undefined && existsSync(file)) as string[];
}

/** Lets a machine reach name servers, mirror and registry as this computer does. */
export function copyNetworkSettings(root: string): void {
  for (const file of ['/etc/resolv.conf', '/etc/hosts', ...certificateFiles()]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(file, join(root, file), { dereference: true });
  }
  const apt = join(root, 'etc/apt/apt.conf.d/90-of-the-host');
  mkdirSync(dirname(apt), { recursive: true });
  // The index of sid is valid for a week, and a mirror may be a frozen one.
  writeFileSync(apt, `${aptProxies()}\nAcquire::Check-Valid-Until "false";\n`);
}

/** The text of .npmrc for the users of a machine. */
export function npmrc(): string {
  const lines = Object.entries(npmConfiguration()).map(([name, value]) => `${name}=${value}`);
  return `${lines.join('\n')}\n`;
}

/** Variables of the environment with which Node reaches the registry. */
export function nodeEnvironment(): Record<string, string> {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };
}
