import type { ErrorEntries } from './entry.ts';

/** Errors of the installation, of the command line, and of the machine's prerequisites. */
export const commandLineErrors = {
  CS_SETUP_PLATFORM: {
    what: 'The operating system is not Linux.',
    fix: 'Run Cachescope on Linux.',
    exitCode: 3,
  },
  CS_SETUP_NPM: {
    what: 'npm could not be started.',
    fix: 'Install npm and try again.',
    exitCode: 3,
  },
  CS_SETUP_INSTALL: {
    what: 'The installation of the packages failed.',
    fix: 'Read its output above the error; the package registry must be reachable.',
    exitCode: 3,
  },
  CS_SETUP_NODE: {
    what: 'Node is older than 24.15, and the package registry has no newer one for this platform.',
    fix: 'Install a newer Node and try again.',
    exitCode: 3,
  },
  CS_SETUP_START: {
    what: 'The program could not be started.',
    fix: 'Correct the reason that the message names.',
    exitCode: 3,
  },
  CS_USAGE: {
    what: 'The command line has problems; the message lists all of them.',
    fix: 'Correct them; `--help` lists all options.',
    exitCode: 2,
  },
  CS_OUT_EXISTS: {
    what: 'The directory for the results exists already.',
    fix: 'Name a new directory with `--out`, or omit `--out`.',
    exitCode: 2,
  },
  CS_OUT: {
    what: 'The directory for the results cannot be made.',
    fix: 'Name a directory that you may make with `--out`.',
    exitCode: 3,
  },
  CS_PACKAGES: {
    what: 'System packages are missing and could not be installed.',
    fix: 'Run the command that is printed.',
    exitCode: 3,
  },
  CS_PRIVILEGE: {
    what: 'A command needs root, and sudo is missing or asks for a password.',
    fix: 'Run as root, or allow sudo without a password; `--dry-run` shows every command that needs it.',
    exitCode: 3,
  },
  CS_COMMAND: {
    what: 'An external command failed.',
    fix: 'Read its output in the message.',
  },
  CS_SYSTEM: {
    what: 'The operating system refused a call, for example because a disk is full or a permission is missing.',
    fix: 'The message names the call and the path; make room, or correct the permissions or the path.',
  },
  CS_TIMEOUT: {
    what: 'A step took longer than its limit.',
    fix: 'Start the command again when the machine and its disk are less busy.',
  },
  CS_UNHANDLED: {
    what: 'An unexpected error happened in the background.',
    fix: 'Report it: it is a defect of this program.',
  },
  CS_BUSY: {
    what: 'Another run is measuring on this machine; the message names its process.',
    fix: 'Wait until it has ended, or add `--wait`.',
    exitCode: 3,
  },
  CS_LOCK: {
    what: 'The lock that keeps this machine for one run cannot be taken safely.',
    fix: 'Name a directory of root or of this user with `CACHESCOPE_LOCK_DIRECTORY`.',
    exitCode: 3,
  },
  CS_ENVIRONMENT: {
    what: 'The checks found this machine unfit to measure, and `--env throw` was given.',
    fix: 'Run `npm run doctor` to see each finding; `--env warn` continues anyway.',
    exitCode: 3,
  },
} as const satisfies ErrorEntries;
