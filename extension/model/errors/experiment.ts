import { environment, type ErrorEntries, failure, usage } from './entry.ts';

/** Errors of single experiments and tools. */
export const experimentErrors = {
  CS_MICRO_RESTLESS: failure(
    'The files of the cache did not stop changing in time.',
    'End what else writes there, or try a shorter delay or fewer entries.',
  ),
  CS_MICRO_PAGE: failure(
    'The page that measures failed.',
    'Correct the reason that the message names, and start the command again.',
  ),
  CS_PAGELOAD_FILE: usage('The HAR or list cannot be read.', 'Name a file that can be read.'),
  CS_PAGELOAD_PAGE: usage(
    'The HAR or list has problems; the message lists them.',
    'Export the HAR again with content, or correct the list.',
  ),
  CS_PAGELOAD_RECORD: failure(
    'The URL could not be recorded.',
    'Open it in a browser on this machine to see whether it answers.',
  ),
  CS_PAGELOAD_DICTIONARY: failure(
    'Chromium did not advertise all dictionaries of the page.',
    'Use Chromium 130 or newer, or a page with fewer dictionaries; `--arms plain` measures without them.',
  ),
  CS_FILL_SYSTEMS: environment(
    'None of the systems under test can run on this machine.',
    'Provide what the message names for one of them.',
  ),
  CS_FILL_SERVER: failure(
    'A server of the experiment ended.',
    'Correct the reason that the message names, and start the command again.',
  ),
  CS_FILL_PAGE: failure(
    'The page that reads failed.',
    'Correct the reason that the message names, and start the command again.',
  ),
  CS_FILL_LOG: failure(
    'A trial made more requests than the request log of the origin keeps.',
    'Use a shorter `--time`, fewer `--workers` or a larger `--size`.',
  ),
  CS_NGINX_MISSING: failure('nginx is missing.', 'Install nginx, or name a binary with `--nginx`.'),
  CS_NGINX_START: failure(
    'nginx did not start to listen.',
    'Correct the errors from its log that the message names.',
  ),
  CS_NGINX_CONFIG: failure(
    'nginx refused its configuration.',
    'For nginx-tempfiles, use a binary with the tempfiles patch; otherwise correct the reason that the message names.',
  ),
  CS_NGINX_ENDED: failure(
    'nginx ended during the measurement.',
    'Check whether the machine runs out of memory or disk, and start the command again.',
  ),
  CS_TRANSFER_ORIGIN: failure(
    'The origin did not start, or serves no transfers.',
    'Start it with `npm run origin -- --host ADDRESS`, and name the URL that it prints.',
  ),
  CS_LINK_CLIENT: failure(
    'A client behind an emulated link (--link) failed.',
    'The message has its reason. Start the command again; without --link the client runs outside a network namespace.',
  ),
  CS_LINK: environment(
    'A link cannot be emulated with `--link` on this machine.',
    'Correct the reason that the message names, use `--server-delay`, or measure between two machines with `--origin`.',
  ),
  CS_TRANSFER_PAGE: failure(
    'The page that sends requests failed.',
    'Check that the origin still runs and can be reached from this machine.',
  ),
  CS_RECLAIM_ORIGIN: failure(
    'The origin under load ended.',
    'Correct the reason that the message names, and start the command again.',
  ),
  CS_RECLAIM_GENERATOR: failure(
    'The load generator ended.',
    'Correct the reason that the message names, and start the command again.',
  ),
  CS_RECLAIM_PAGE: failure(
    'The page that sends requests failed or stopped answering.',
    'Correct the reason that the message names, and start the command again.',
  ),
  CS_RECLAIM_DISK_FULL: failure(
    'The disk of the cache is full.',
    'Use a lower `--limit-bytes`, or set TMPDIR to a directory with more room.',
  ),
  CS_LAB_BUSY: failure(
    'The lab of `npm run explore` is still carrying out an earlier request of the panel.',
    'Try again when it has finished.',
  ),
  CS_LAB_DELAY: failure(
    'The delay cannot be set, because the cache is on ordinary storage.',
    'Start `npm run explore` with slow storage.',
  ),
  CS_LAB_FAILED: failure(
    'The lab could not do what the panel requested.',
    'Correct the reason that the panel shows.',
  ),
  CS_LAB_PRIVILEGE: failure(
    'The page cache cannot be dropped without root.',
    'Start `npm run explore` as root, or allow sudo without a password.',
  ),
  CS_LAB_REQUEST: failure(
    'A request to the lab does not have the expected form.',
    'Use the panel of the same version as the lab.',
  ),
  CS_BODY_TOO_LARGE: failure(
    'The body is too large for the panel to compress with Brotli.',
    'Choose a resource of at most 32 MiB.',
  ),
  CS_BROTLI: failure(
    'The Brotli encoder of the panel failed.',
    'Open the panel again; if it fails again, report it.',
  ),
  CS_GUEST: failure(
    'The emulated machine of `npm run test:dm-delay` failed.',
    'Read the end of its console output in the message.',
  ),
} satisfies ErrorEntries;
