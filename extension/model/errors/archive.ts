import { type ErrorEntries, failure, usage } from './entry.ts';

/** Errors of the commands that judge an archive or a deployment. */
export const archiveErrors = {
  CS_HAR: usage(
    'The file of `npm run har` or `npm run lint` cannot be read as an HTTP Archive.',
    'Export it again from the program that wrote it; the message names each problem.',
  ),
  CS_BUDGET_FILE: usage(
    'The file of `--assert` has problems.',
    'Correct them; [har.md](har.md) shows the format.',
  ),
  CS_BUDGET: {
    ...failure(
      'The requests of an archive are beyond a limit of `--assert`.',
      'Read the lines that say FAILED: the table shows the source of each request.',
    ),
    exitCode: 10,
  },
  CS_BUDGET_UNKNOWN: {
    ...failure(
      'The archive does not decide a limit of `--assert`: sources or sizes are unknown, or the pattern matches no URL.',
      'Record the archive with Chromium’s DevTools, which names the caches; or correct the pattern.',
    ),
    exitCode: 11,
  },
  CS_LINT: {
    ...failure(
      'A deployment of compression dictionaries has errors: browsers ignore or reject a response, or get wrong bytes.',
      'Make the change that each finding names.',
    ),
    exitCode: 10,
  },
  CS_LINT_URL: failure(
    'A URL of `npm run lint` has no complete response that can be checked.',
    'Correct the URL, or the server; the message says what happened.',
  ),
  CS_WATCH_GONE: failure(
    'A page watched by `cachescope/puppeteer` or `cachescope/playwright` was closed, crashed, or its session was detached.',
    'Watch a new page; `loads()` has what was seen until then.',
  ),
  CS_WATCH_TIMEOUT: failure(
    'A watched load is not complete in time: its document has not loaded, or its requests do not end.',
    'Wait longer with `timeoutMs`; `loads()` has what is known so far.',
  ),
} satisfies ErrorEntries;
