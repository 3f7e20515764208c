import type { ErrorEntries } from './entry.ts';

/** Errors of slow disks: setting them up, changing them, removing them. */
export const storageErrors = {
  CS_STORAGE_LOOP: {
    what: 'There are no loop devices.',
    fix: 'A container needs the rights of `harness/docs/container.md`; or use `--storage none`.',
    exitCode: 3,
  },
  CS_STORAGE_OPTIONS: {
    what: 'The storage back end cannot do what was requested; the message lists every broken rule.',
    fix: 'Change the options that the message names, or choose another back end.',
    exitCode: 2,
  },
  CS_STORAGE_DELAY: {
    what: 'The delay is not allowed, or this disk cannot change to it.',
    fix: 'Use a delay in the range that the message states.',
    exitCode: 2,
  },
  CS_STORAGE_NBD: {
    what: 'nbdkit and nbdfuse did not provide the image as a file.',
    fix: 'Install nbdfuse and nbdkit with its delay filter, make /dev/fuse available, and set TMPDIR to a short path.',
  },
  CS_STORAGE_DM: {
    what: 'device-mapper refused a new table.',
    fix: 'Read the message and the kernel log for the reason.',
  },
  CS_STORAGE_IMAGE: {
    what: 'No file system could be made in the image file.',
    fix: 'Make room on the disk, or set TMPDIR to a directory on another.',
  },
  CS_STORAGE_PROOF: {
    what: 'Direct reads did not reach the device: something above it answered them.',
    fix: 'Report it with the output of `npm run doctor`.',
  },
  CS_STORAGE_RECORD: {
    what: 'The latencies of a disk could not be recorded.',
    fix: 'Name a block device, or a file of at least 64 MiB on the disk; see the output of fio in the message.',
  },
  CS_STORAGE_REPLAY: {
    what: 'The device reads of a traced hit could not be replayed.',
    fix: 'Name a run with traced reads (`--trace`), and a writable directory on a disk with direct I/O and 64 MiB free.',
  },
  CS_STORAGE_READ: {
    what: 'A read on the slow disk failed.',
    fix: 'Switch bad reads off if they are on; otherwise detach the disk and attach it again.',
  },
  CS_STORAGE_READ_AHEAD: {
    what: 'The read-ahead changed together with the delay.',
    fix: 'Detach the disk and attach it again.',
  },
  CS_STORAGE_BAD_READS: {
    what: 'Bad reads cannot be switched as requested.',
    fix: 'Attach the disk with `--bad-reads` and that rate; with dm-delay this needs a kernel with a newer dm-flakey.',
  },
  CS_STORAGE_BUSY: {
    what: 'The disk is in use, so it cannot be changed or taken down.',
    fix: 'Close the files on it (the message names the processes), and try again.',
  },
  CS_STORAGE_GONE: {
    what: 'The disk is not mounted any more.',
    fix: 'Remove what is left of it with `npm run storage -- down`.',
  },
  CS_STORAGE_UP: {
    what: 'A disk is attached already, or is being attached.',
    fix: 'Change it with `npm run storage -- set MS`, or take it down with `npm run storage -- down`.',
  },
  CS_STORAGE_DOWN: {
    what: 'No disk is up.',
    fix: 'Bring one up with `npm run storage -- up`.',
  },
  CS_STORAGE_IN_USE: {
    what: 'Another process is bringing the disk up, changing it or taking it down.',
    fix: 'Wait until that process has ended, and try again.',
    exitCode: 3,
  },
  CS_STORAGE_LEFT: {
    what: 'Something that this program made on the machine could not be undone.',
    fix: 'Close what uses it and run `npm run clean`, or run the commands that are printed.',
    exitCode: 5,
  },
  CS_STORAGE_DIRECTORY: {
    what: 'Something that a journal lists was not undone, because the machine does not show that this program made it, or a mount is in it.',
    fix: 'Unmount what the message names; remove the journal when it is not one of this program.',
  },
  CS_JOURNAL: {
    what: 'A journal of changes to the machine is ignored: another user may have written it, or a line of it is invalid.',
    fix: 'Look into the file; correct its owner and mode, or remove it when nothing that it lists is left.',
    exitCode: 5,
  },
  CS_STORAGE_PROCESS: {
    what: 'A process that this program started for the disk does not end.',
    fix: 'End the process that the message names.',
  },
} as const satisfies ErrorEntries;
