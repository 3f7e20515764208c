// Part of the start: runs on every Node that can start the project, and imports nothing but Node itself.
// @ts-check
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Something about this machine that can spoil a measurement, in the words of both the start and `doctor`.
 *
 * @typedef {object} Remark
 * @property {string} what
 * @property {string} todo
 */

/** Room in TMPDIR for disk image, profiles and caches, bytes: a sweep with two variants took 108 MB at its peak. */
export const measurementBytes = 0.3e9;

/**
 * A reader of the machine's files: null for one that cannot be read.
 *
 * @typedef {(path: string) => string | null} TextReader
 */

/** @type {TextReader} */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/**
 * The container, or the Windows, that this Linux runs in; null: no sign of one.
 *
 * @param {TextReader} [text]
 * @returns {Remark | null}
 */
export function containerRemark(text = textOf) {
  const kernel = text('/proc/sys/kernel/osrelease') ?? '';
  if (/^4\.4\.0-\d+-microsoft/i.test(kernel))
    return {
      what: 'WSL 1, which has no Linux kernel and no slow disk',
      todo: 'In Windows type: wsl --set-version NAME 2',
    };
  if (/microsoft/i.test(kernel))
    return {
      what: 'Windows Subsystem for Linux, version 2',
      todo: 'Keep the project, TMPDIR and results outside of /mnt, where the disks of Windows are.',
    };
  const kind = containerKind(text);
  if (kind === null) return null;
  return {
    what: `A container (${kind})`,
    todo: 'A slow disk needs root of the host and: --cap-add SYS_ADMIN --security-opt unmask=ALL --device /dev/fuse --device /dev/loop-control --volume /dev:/dev (harness/docs/container.md).',
  };
}

/**
 * @param {TextReader} text
 * @returns {string | null}
 */
function containerKind(text) {
  const named = text('/run/systemd/container')?.trim();
  const ofInit = /(?:^|\0)container=([^\0]+)/.exec(text('/proc/1/environ') ?? '')?.[1];
  const files = [
    ['/.dockerenv', 'docker'],
    ['/run/.containerenv', 'podman'],
    ['/run/secrets/kubernetes.io/serviceaccount/namespace', 'kubernetes'],
  ];
  const found = files.find(([path = '']) => text(path) !== null)?.[1];
  return named || ofInit || found || null;
}

/**
 * What statfs(2) says of a directory, and whether this user may write there.
 *
 * @typedef {object} Place
 * @property {number} type Number of the type of its file system.
 * @property {number} freeBytes
 * @property {boolean} isWritable
 */

/**
 * @param {string} directory
 * @returns {Place | null} null: it cannot be read, or does not exist.
 */
export function placeOf(directory) {
  try {
    const { type, bavail, bsize } = statfsSync(directory);
    return { type, freeBytes: bavail * bsize, isWritable: isWritable(directory) };
  } catch {
    return null;
  }
}

/** @param {string} directory */
function isWritable(directory) {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** File systems in memory, by the type of statfs(2): tmpfs and ramfs. */
const inMemory = new Set([0x01_02_19_94, 0x85_84_58_f6]);
/** Of Windows, as WSL 2 shows its disks: 9P. */
const ofWindows = 0x01_02_19_97;

/**
 * Why disk images and profiles cannot be in a directory, or would be measured wrongly there; null: they can.
 *
 * @param {string} directory
 * @param {Place | null} [place]
 * @returns {Remark | null}
 */
export function directoryRemark(directory, place = placeOf(directory)) {
  const todo = 'Name a directory on a disk of Linux: type TMPDIR=/var/tmp before the command.';
  if (place === null) return { what: `${directory} does not exist`, todo };
  if (!place.isWritable) return { what: `${directory} cannot be written by this user`, todo };
  if (inMemory.has(place.type))
    return { what: `${directory} is in memory, so the control would be too`, todo };
  if (place.type === ofWindows) return { what: `${directory} is on a disk of Windows`, todo };
  return null;
}

/**
 * Why a directory has too little room; null: it has enough, or does not exist.
 *
 * @param {string} directory
 * @param {number} neededBytes
 * @param {Place | null} [place]
 * @returns {Remark | null}
 */
export function roomRemark(directory, neededBytes, place = placeOf(directory)) {
  if (place === null || place.freeBytes >= neededBytes) return null;
  return {
    what: `${gigabytes(place.freeBytes)} are free in ${directory}, and ${gigabytes(neededBytes)} are needed`,
    todo: 'Free some space, or name another place with TMPDIR.',
  };
}

/** @param {number} bytes */
function gigabytes(bytes) {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/**
 * Why npm cannot install packages in a directory; empty: it can, as far as can be seen.
 *
 * @param {string} project
 * @param {number} neededBytes
 * @param {string} [cache] Where npm keeps what it fetches.
 * @returns {Remark[]}
 */
export function installationRemarks(project, neededBytes, cache = npmCache()) {
  const all = [
    placeOf(project)?.isWritable
      ? null
      : readOnly(project, 'Clone it as this user, or install as the user who owns it.'),
    canMake(cache)
      ? null
      : readOnly(cache, 'Name a directory for it: type npm_config_cache=DIR before the command.'),
    roomRemark(project, neededBytes),
  ];
  return all.filter((remark) => remark !== null);
}

/** npm tells the programs that it starts. */
function npmCache() {
  return process.env['npm_config_cache'] || join(homedir(), '.npm');
}

/**
 * @param {string} directory
 * @param {string} todo
 */
function readOnly(directory, todo) {
  return { what: `${directory} cannot be written by this user`, todo };
}

/**
 * Whether this user can write a directory, or make it.
 *
 * @param {string} directory
 * @returns {boolean}
 */
function canMake(directory) {
  const place = placeOf(directory);
  if (place !== null) return place.isWritable;
  return dirname(directory) !== directory && canMake(dirname(directory));
}

/**
 * TMPDIR for a run: the user's, if there is one. /tmp is in memory on many systems, such as Debian 13, and /var/tmp is on a disk.
 *
 * @param {string} [named]
 * @param {typeof placeOf} [lookAt]
 * @returns {string | undefined} undefined: the default, /tmp.
 */
export function temporaryDirectory(named = process.env['TMPDIR'], lookAt = placeOf) {
  if (named) return named;
  const isFit = (/** @type {string} */ directory) =>
    directoryRemark(directory, lookAt(directory)) === null;
  return !isFit('/tmp') && isFit('/var/tmp') ? '/var/tmp' : undefined;
}

/** What to do where a device is missing, for the start and `doctor`. */
export const deviceTodos = {
  '/dev/fuse':
    'Load it with modprobe fuse; in a container: --device /dev/fuse. --storage none measures the control alone.',
  '/dev/loop-control':
    'Use another kernel; in a container: --device /dev/loop-control. --storage none measures the control alone.',
};

/**
 * Devices that a slow disk needs and that are missing. Only root can try whether the others work.
 *
 * @param {(path: string) => boolean} [exists]
 * @returns {Remark[]}
 */
export function deviceRemarks(exists = existsSync) {
  return Object.entries(deviceTodos)
    .filter(([path]) => !exists(path))
    .map(([path, todo]) => ({ what: `${path} is missing`, todo }));
}

/**
 * Everything about this machine that a user must know before a measurement, in sentences.
 *
 * @param {string} [directory] Where disk images and profiles are.
 */
export function remarks(directory = temporaryDirectory() ?? tmpdir()) {
  const ofDirectory = [directoryRemark(directory), roomRemark(directory, measurementBytes)];
  return [containerRemark(), ...deviceRemarks(), ...ofDirectory]
    .filter((remark) => remark !== null)
    .map(({ what, todo }) => `${what}. ${todo}`);
}
