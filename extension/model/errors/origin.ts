import type { ErrorEntries } from './entry.ts';

/** Errors of the origin, its control routes and its workloads. */
export const originErrors = {
  CS_ORIGIN_PORT: {
    what: 'Another program listens on the port.',
    fix: 'Choose another with `--port`; 0 takes any free one.',
  },
  CS_ORIGIN_ADDRESS: {
    what: 'The origin cannot listen on the address.',
    fix: 'Choose another with `--host` or `--port`.',
  },
  CS_ORIGIN_ENCODER: {
    what: 'This Node does not compress with dictionaries as it should.',
    fix: 'Use Node 24.15, 25.7 or newer.',
  },
  CS_ORIGIN_QUALITY: {
    what: 'The quality of an encoder is out of its range.',
    fix: 'Use a quality in the range that the message states.',
  },
  CS_ORIGIN_PATTERN: {
    what: 'RFC 9842 does not allow the match pattern of a dictionary.',
    fix: 'Use a URL pattern without regular-expression groups.',
  },
  CS_ORIGIN_LOG: {
    what: 'Requests were looked up that the request log no longer keeps.',
    fix: 'Take the mark later, nearer to the read.',
  },
  CS_ORIGIN_TOKEN: {
    what: 'A control route was called without the token of the run.',
    fix: 'Send the header `Authorization: Bearer TOKEN`, with the token that the origin printed.',
  },
  CS_ORIGIN_PAGE: {
    what: 'A web page called a control route.',
    fix: 'Call control routes from a program: web pages may not.',
  },
  CS_WORKLOAD_UNKNOWN: {
    what: 'There is no workload of that name.',
    fix: 'Choose one of those that the message lists.',
  },
  CS_WORKLOAD_PACKAGE: {
    what: 'The package of a workload is not installed.',
    fix: 'Run any npm script of the project to install it.',
  },
  CS_WORKLOAD_FILE: {
    what: 'A file of your own pair of versions cannot be used.',
    fix: 'Choose a file that follows the rule in the message.',
  },
} as const satisfies ErrorEntries;
