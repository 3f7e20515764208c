import type { ErrorEntries } from './entry.ts';

/** Errors of single experiments and tools. */
export const experimentErrors = {
  CS_MICRO_RESTLESS: {
    what: 'The files of the cache did not stop changing in time.',
    fix: 'End what else writes there, or try a shorter delay or fewer entries.',
  },
  CS_MICRO_BACK_END: {
    what: 'Chromium did not use the cache back end that was requested.',
    fix: 'Omit that back end from `--back-ends`: this Chromium may not have it.',
  },
  CS_MICRO_PAGE: {
    what: 'The page that measures failed.',
    fix: 'Correct the reason that the message names, and start the command again.',
  },
  CS_PAGELOAD_FILE: {
    what: 'The HAR or list cannot be read.',
    fix: 'Name a file that can be read.',
    exitCode: 2,
  },
  CS_PAGELOAD_PAGE: {
    what: 'The HAR or list has problems; the message lists them.',
    fix: 'Export the HAR again with content, or correct the list.',
    exitCode: 2,
  },
  CS_PAGELOAD_RECORD: {
    what: 'The URL could not be recorded.',
    fix: 'Open it in a browser on this machine to see whether it answers.',
  },
  CS_PAGELOAD_DICTIONARY: {
    what: 'Chromium did not advertise all dictionaries of the page.',
    fix: 'Use Chromium 130 or newer, or a page with fewer dictionaries; `--arms plain` measures without them.',
  },
  CS_FILL_SYSTEMS: {
    what: 'None of the systems under test can run on this machine.',
    fix: 'Provide what the message names for one of them.',
    exitCode: 3,
  },
  CS_FILL_SERVER: {
    what: 'A server of the experiment ended.',
    fix: 'Correct the reason that the message names, and start the command again.',
  },
  CS_FILL_PAGE: {
    what: 'The page that reads failed.',
    fix: 'Correct the reason that the message names, and start the command again.',
  },
  CS_FILL_LOG: {
    what: 'A trial made more requests than the request log of the origin keeps.',
    fix: 'Use a shorter `--time`, fewer `--workers` or a larger `--size`.',
  },
  CS_NGINX_MISSING: {
    what: 'nginx is missing.',
    fix: 'Install nginx, or name a binary with `--nginx`.',
  },
  CS_NGINX_START: {
    what: 'nginx did not start to listen.',
    fix: 'Correct the errors from its log that the message names.',
  },
  CS_NGINX_CONFIG: {
    what: 'nginx refused its configuration.',
    fix: 'For nginx-tempfiles, use a binary with the tempfiles patch; otherwise update nginx.',
  },
  CS_NGINX_ENDED: {
    what: 'nginx ended during the measurement.',
    fix: 'Check whether the machine runs out of memory or disk, and start the command again.',
  },
  CS_TRANSFER_ORIGIN: {
    what: 'The origin did not start, or serves no transfers.',
    fix: 'Start it with `npm run origin -- --host ADDRESS`, and name the URL that it prints.',
  },
  CS_TRANSFER_NETEM: {
    what: 'The network cannot be emulated with `--netem` on this machine.',
    fix: 'Use `--server-delay`, or measure between two machines with `--origin`.',
    exitCode: 3,
  },
  CS_TRANSFER_PAGE: {
    what: 'The page that sends requests failed.',
    fix: 'Check that the origin still runs and can be reached from this machine.',
  },
  CS_RECLAIM_ORIGIN: {
    what: 'The origin under load ended.',
    fix: 'Correct the reason that the message names, and start the command again.',
  },
  CS_RECLAIM_GENERATOR: {
    what: 'The load generator ended.',
    fix: 'Correct the reason that the message names, and start the command again.',
  },
  CS_RECLAIM_PAGE: {
    what: 'The page that sends requests failed or stopped answering.',
    fix: 'Correct the reason that the message names, and start the command again.',
  },
  CS_RECLAIM_DISK_FULL: {
    what: 'The disk of the cache is full.',
    fix: 'Use a lower `--limit-bytes`, or set TMPDIR to a directory with more room.',
  },
  CS_LAB_BUSY: {
    what: 'The lab of `npm run explore` is still carrying out an earlier request of the panel.',
    fix: 'Try again when it has finished.',
  },
  CS_LAB_DELAY: {
    what: 'The delay cannot be set, because the cache is on ordinary storage.',
    fix: 'Start `npm run explore` with slow storage.',
  },
  CS_LAB_FAILED: {
    what: 'The lab could not do what the panel requested.',
    fix: 'Correct the reason that the panel shows.',
  },
  CS_LAB_PRIVILEGE: {
    what: 'The page cache cannot be dropped without root.',
    fix: 'Start `npm run explore` as root, or allow sudo without a password.',
  },
  CS_LAB_REQUEST: {
    what: 'A request to the lab does not have the expected form.',
    fix: 'Use the panel of the same version as the lab.',
  },
  CS_BODY_TOO_LARGE: {
    what: 'The body is too large for the panel to compress with Brotli.',
    fix: 'Choose a resource of at most 32 MiB.',
  },
  CS_BROTLI: {
    what: 'The Brotli encoder of the panel failed.',
    fix: 'Open the panel again; if it fails again, report it.',
  },
  CS_GUEST: {
    what: 'The emulated machine of `npm run test:dm-delay` failed.',
    fix: 'Read the end of its console output in the message.',
  },
} as const satisfies ErrorEntries;
