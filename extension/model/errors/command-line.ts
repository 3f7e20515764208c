import { environment, type ErrorEntries, failure, usage } from './entry.ts';

/** Errors of the installation, of the command line, and of the machine's prerequisites. */
export const commandLineErrors = {
  CS_SETUP_PLATFORM: environment(
    'The command needs Linux.',
    'Run it on Linux; the message names the commands that run here.',
  ),
  CS_SETUP_NPM: environment('npm could not be started.', 'Install npm and try again.'),
  CS_SETUP_INSTALL: environment(
    'The installation of the packages failed.',
    'Read its output above the error; the package registry must be reachable.',
  ),
  CS_SETUP_NODE: environment(
    'Node is too old, and npm brought no newer one: the registry has none for this platform, or cannot be reached.',
    'Type the command that is printed, or install Node 24.15, 25.7 or newer, and try again.',
  ),
  CS_SETUP_START: environment(
    'The program could not be started.',
    'Correct the reason that the message names.',
  ),
  CS_USAGE: usage(
    'The command line has problems; experiments and most other commands list all of them, the others the first.',
    'Correct them; `--help` lists all options.',
  ),
  CS_OUT_EXISTS: usage(
    'The directory for the results exists already.',
    'Name a new directory with `--out`, or omit `--out`.',
  ),
  CS_OUT: environment(
    'The directory for the results cannot be made.',
    'Name a directory that you may make with `--out`.',
  ),
  CS_PACKAGES: environment(
    'System packages are missing and could not be installed.',
    'Run the command that is printed.',
  ),
  CS_PRIVILEGE: environment(
    'A command needs root, and sudo is missing or asks for a password.',
    'Run as root, or allow sudo without a password; `--dry-run` shows every command that needs it.',
  ),
  CS_COMMAND: failure('An external command failed.', 'Read its output in the message.'),
  CS_SYSTEM: failure(
    'The operating system refused a call, for example because a disk is full or a permission is missing.',
    'The message names the call and the path; make room, or correct the permissions or the path.',
  ),
  CS_TIMEOUT: failure(
    'A step took longer than its limit.',
    'Start the command again when the machine and its disk are less busy.',
  ),
  CS_UNHANDLED: failure(
    'An unexpected error happened in the background.',
    'Report it: it is a defect of this program.',
  ),
  CS_BUSY: environment(
    'Another run is measuring on this machine; the message names its process.',
    'Wait until it has ended; an experiment waits with `--wait`.',
  ),
  CS_LOCK: environment(
    'The lock that keeps this machine for one run cannot be taken safely.',
    'Name a directory of root or of this user with `CACHESCOPE_LOCK_DIRECTORY`.',
  ),
  CS_ENVIRONMENT: environment(
    'The checks found this machine unfit to measure, and `--env throw` was given.',
    'Run `npm run doctor` to see each finding; `--env warn` continues anyway.',
  ),
} satisfies ErrorEntries;
