// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { findProgram } from './programs.mjs';

/**
 * A package manager: the command that installs packages, and its names of packages where they differ from Debian's; null: it has
 * none.
 *
 * @typedef {object} PackageManager
 * @property {string} program
 * @property {(names: string) => string[]} commands
 * @property {Readonly<Record<string, string | null>>} names
 */

/** Names that most other distributions share. */
const commonNames = {
  dmsetup: 'device-mapper',
  mount: 'util-linux',
  'nginx-light': 'nginx',
  // Their Chromium brings it, or needs none.
  'chromium-sandbox': null,
};

/** Names that Fedora and openSUSE share. */
const rpmNames = {
  ...commonNames,
  'nbdkit-plugin-python': 'nbdkit-python-plugin',
  'libnbd-bin': 'nbdfuse',
};

/** @type {readonly PackageManager[]} */
const managers = [
  {
    program: 'apt-get',
    commands: (names) => [
      'apt-get update',
      `apt-get install --yes --no-install-recommends ${names}`,
    ],
    names: {},
  },
  {
    program: 'dnf',
    commands: (names) => [`dnf install -y ${names}`],
    names: { ...rpmNames, libatomic1: 'libatomic', 'libstdc++6': 'libstdc++' },
  },
  {
    program: 'zypper',
    commands: (names) => [`zypper --non-interactive install ${names}`],
    names: { ...rpmNames, 'btrfs-progs': 'btrfsprogs' },
  },
  {
    program: 'pacman',
    commands: (names) => [`pacman -S --needed --noconfirm ${names}`],
    names: {
      ...commonNames,
      python3: 'python',
      'nbdkit-plugin-python': 'nbdkit',
      'libnbd-bin': 'libnbd',
      libatomic1: 'gcc-libs',
      'libstdc++6': 'gcc-libs',
    },
  },
  {
    program: 'apk',
    commands: (names) => [`apk add ${names}`],
    names: {
      ...commonNames,
      'nbdkit-plugin-python': 'nbdkit',
      'libnbd-bin': 'libnbd',
      libatomic1: 'libatomic',
      'libstdc++6': 'libstdc++',
    },
  },
];

/**
 * This system's package manager; null when none is known.
 *
 * @param {string} [searchPath] Default: PATH and the directories of system programs.
 */
export function packageManager(searchPath) {
  return managers.find(({ program }) => findProgram(program, searchPath) !== null) ?? null;
}

/**
 * Names of packages for a package manager, each once, from Debian's names.
 *
 * @param {PackageManager} manager
 * @param {readonly string[]} debianNames
 */
export function packageNames(manager, debianNames) {
  const names = debianNames.map((name) => (name in manager.names ? manager.names[name] : name));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}

/**
 * The command that installs packages, as one line to type.
 *
 * @param {PackageManager} manager
 * @param {readonly string[]} debianNames
 * @param {boolean} withSudo
 */
export function installationCommand(manager, debianNames, withSudo) {
  const commands = manager.commands(packageNames(manager, debianNames).join(' '));
  return commands.map((command) => (withSudo ? `sudo ${command}` : command)).join(' && ');
}
