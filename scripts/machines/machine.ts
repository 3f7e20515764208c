import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debootstrap, type Ended, mustRunIn, type Root, runIn } from './chroot.ts';
import { copyNetworkSettings, debianMirror, nodeEnvironment, npmrc } from './host-settings.ts';
import type { Release, User } from './release.ts';

const project = join(import.meta.dirname, '../..');
const name = 'tester';

/** Installs a release with Node, npm and what they depend on, and nothing else; returns its directory. */
export async function makeBase(release: Release, place: string): Promise<string> {
  const base = join(place, `base-${release}`);
  if (existsSync(join(base, 'made'))) return base;
  rmSync(base, { recursive: true, force: true });
  const mirror = debianMirror();
  if (mirror === null) throw new Error('apt names no mirror of Debian');
  await debootstrap(release, base, mirror);
  copyNetworkSettings(base);
  const root = { path: base };
  await mustRunIn(root, ['apt-get', 'update', '-qq']);
  await mustRunIn(root, [...install, 'nodejs', 'npm', 'ca-certificates']);
  // The installation of certificates wrote this computer's file anew.
  copyNetworkSettings(base);
  writeFileSync(join(base, 'made'), '');
  return base;
}

const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'];

/** A new machine with one kind of user, and a clone of this project in the user's home. */
export interface Machine {
  /** What `node --version` says. */
  node: string;
  /** Runs a line of the shell as the user, in the clone. */
  run: (line: string) => Promise<Ended>;
  /** Runs a line as root, as an administrator would. */
  runAsRoot: (line: string) => Promise<Ended>;
  remove: () => void;
}

/** The machine keeps what it changes of the base in a layer of its own. */
export async function makeMachine(base: string, user: User, place: string): Promise<Machine> {
  const own = join(place, user);
  const [path, upper, work] = ['root', 'upper', 'work'].map((part) => join(own, part)) as [
    string,
    string,
    string,
  ];
  for (const folder of [path, upper, work]) mkdirSync(folder, { recursive: true });
  const root: Root = { path, layers: { lower: base, upper, work } };
  await mustRunIn(root, ['useradd', '--create-home', '--shell', '/bin/bash', name]);
  if (user === 'sudo') {
    await mustRunIn(root, [...install, 'sudo']);
    writeFileSync(join(upper, 'etc/sudoers.d', name), `${name} ALL=(ALL) NOPASSWD: ALL\n`, {
      mode: 0o440,
    });
  }
  const home = user === 'root' ? '/root' : `/home/${name}`;
  cloneInto(join(upper, home, 'cachescope'));
  writeFileSync(join(upper, home, '.npmrc'), npmrc());
  if (user !== 'root') await mustRunIn(root, ['chown', '--recursive', `${name}:`, home]);
  const environment = { ...nodeEnvironment(), HOME: home };
  const asUser = user === 'root' ? [] : ['runuser', '--user', name, '--'];
  const shell = (line: string) => ['sh', '-c', `cd ${home}/cachescope && ${line}`];
  const { stdout } = await runIn(root, ['node', '--version']);
  return {
    node: stdout.trim(),
    run: (line) => runIn(root, [...asUser, ...shell(line)], environment),
    runAsRoot: (line) => runIn(root, ['sh', '-c', line], { DEBIAN_FRONTEND: 'noninteractive' }),
    remove: () => rmSync(own, { recursive: true, force: true }),
  };
}

/** Copies the project's files as they are now, without what git ignores. */
function cloneInto(folder: string): void {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', words, { cwd: project, encoding: 'utf8' });
  for (const path of stdout.split('\0').filter(Boolean)) {
    const from = join(project, path);
    if (lstatSync(from, { throwIfNoEntry: false }) === undefined) continue;
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { verbatimSymlinks: true });
  }
}
