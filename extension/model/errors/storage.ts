import { environment, type ErrorEntries, failure, usage } from './entry.ts';

/** Errors of slow disks: setting them up, changing them, removing them. */
export const storageErrors = {
  CS_STORAGE_LOOP: environment(
    'There are no loop devices.',
    'A container needs the rights of `harness/docs/container.md`; or use `--storage none`.',
  ),
  CS_STORAGE_OPTIONS: usage(
    'The storage back end cannot do what was requested; the message lists every broken rule.',
    'Change the options that the message names, or choose another back end.',
  ),
  CS_STORAGE_DELAY: usage(
    'The delay is not allowed, or this disk cannot change to it.',
    'Use a delay in the range that the message states.',
  ),
  CS_STORAGE_NBD: environment(
    'nbdkit and nbdfuse did not provide the image as a file.',
    'Install nbdfuse and nbdkit with its delay filter, and make /dev/fuse available.',
  ),
  CS_SOCKET_PATH: environment(
    'The path of a directory is too long for a socket in it, and no shorter place is writable.',
    'Set `TMPDIR` to a directory with a shorter path.',
  ),
  CS_STORAGE_DM: failure(
    'device-mapper refused a new table.',
    'Read the message and the kernel log for the reason.',
  ),
  CS_STORAGE_IMAGE: failure(
    'No file system could be made in the image file.',
    'Make room on the disk, or set TMPDIR to a directory on another.',
  ),
  CS_STORAGE_PROOF: failure(
    'Direct reads did not reach the device: something above it answered them.',
    'Report it with the output of `npm run doctor`.',
  ),
  CS_STORAGE_RECORD: failure(
    'The latencies of a disk could not be recorded.',
    'Name a block device, or a file of at least 64 MiB on the disk; see the output of fio in the message.',
  ),
  CS_STORAGE_REPLAY: failure(
    'The device reads of a traced hit could not be replayed.',
    'Name a run with traced reads (`--trace`), and a writable directory on a disk with direct I/O and room for a file of 64 MiB or more.',
  ),
  CS_STORAGE_READ: failure(
    'A read on the slow disk failed.',
    'Switch bad reads off if they are on: `npm run storage -- bad-reads off`. Otherwise take the disk down and bring it up again: `npm run storage -- down`, then `npm run storage -- up`.',
  ),
  CS_STORAGE_READ_AHEAD: failure(
    'The read-ahead changed together with the delay.',
    'Take the disk down and bring it up again: `npm run storage -- down`, then `npm run storage -- up`.',
  ),
  CS_STORAGE_BAD_READS: failure(
    'Bad reads cannot be switched as requested.',
    'Take the disk down, and bring it up with that rate: `npm run storage -- up --bad-reads RATE`; with dm-delay this needs a kernel with a newer dm-flakey.',
  ),
  CS_STORAGE_BUSY: failure(
    'The disk is in use, so it cannot be changed or taken down.',
    'Close the files on it (the message names the processes), and try again.',
  ),
  CS_STORAGE_GONE: failure(
    'The disk is not mounted any more.',
    'Remove what is left of it with `npm run storage -- down`.',
  ),
  CS_STORAGE_UP: failure(
    'A disk is attached already, or is being attached.',
    'Change it with `npm run storage -- set MS`, or take it down with `npm run storage -- down`.',
  ),
  CS_STORAGE_DOWN: failure('No disk is up.', 'Bring one up with `npm run storage -- up`.'),
  CS_STORAGE_IN_USE: environment(
    'Another process is bringing the disk up, changing it or taking it down.',
    'Wait until that process has ended, and try again.',
  ),
  CS_STORAGE_LEFT: {
    ...failure(
      'Something that this program made on the machine could not be undone.',
      'Close what uses it and run `npm run clean`, or run the commands that are printed.',
    ),
    exitCode: 5,
  },
  CS_STORAGE_DIRECTORY: failure(
    'Something that a journal lists was not undone, because the machine does not show that this program made it, or a mount is in it.',
    'Unmount what the message names; remove the journal when it is not one of this program.',
  ),
  CS_JOURNAL: {
    ...failure(
      'A journal of changes to the machine is ignored: another user may have written it, or a line of it is invalid.',
      'Look into the file; correct its owner and mode, or remove it when nothing that it lists is left.',
    ),
    exitCode: 5,
  },
  CS_STORAGE_PROCESS: failure(
    'A process that this program started for the disk does not end.',
    'End the process that the message names.',
  ),
} satisfies ErrorEntries;
