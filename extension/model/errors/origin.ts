import { type ErrorEntries, failure, usage } from './entry.ts';

/** Errors of the origin, its control routes and its workloads. */
export const originErrors = {
  CS_ORIGIN_PORT: failure(
    'Another program listens on the port.',
    'Choose another with `--port` or `--tls-port`; 0 takes any free one.',
  ),
  CS_ORIGIN_ADDRESS: failure(
    'The origin cannot listen on the address.',
    'Choose another with `--host`, `--port` or `--tls-port`.',
  ),
  CS_ORIGIN_ENCODER: failure(
    'This Node does not compress with dictionaries as it should.',
    'Use Node 24.15, 25.7 or newer.',
  ),
  CS_ORIGIN_QUALITY: failure(
    'The quality of an encoder is out of its range.',
    'Use a quality in the range that the message states.',
  ),
  CS_ORIGIN_PATTERN: failure(
    'RFC 9842 does not allow the match pattern of a dictionary.',
    'Use a URL pattern without regular-expression groups.',
  ),
  CS_ORIGIN_LOG: failure(
    'Requests were looked up that the request log no longer keeps.',
    'Take the mark later, nearer to the read.',
  ),
  CS_ORIGIN_TOKEN: failure(
    'A control route was called without the token of the run.',
    'Send the header `Authorization: Bearer TOKEN`, with the token that the origin printed.',
  ),
  CS_ORIGIN_PAGE: failure(
    'A web page called a control route.',
    'Call control routes from a program: web pages may not.',
  ),
  CS_WORKLOAD_UNKNOWN: failure(
    'There is no workload of that name.',
    'Choose one of those that the message lists.',
  ),
  CS_WORKLOAD_PACKAGE: failure(
    'The package of a workload is not installed, or its file has other bytes than the published one.',
    'Run any npm script of the project to install it, or install Cachescope again.',
  ),
  CS_WORKLOAD_FILE: usage(
    'A file of your own pair of versions cannot be used.',
    'Choose a file that follows the rule in the message.',
  ),
} satisfies ErrorEntries;
