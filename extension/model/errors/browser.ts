import { environment, type ErrorEntries, failure } from './entry.ts';

/** Errors of Chromium, of populating its cache, and of tracing it. */
export const browserErrors = {
  CS_BROWSER_MISSING: environment(
    'No usable Chromium was found.',
    'Install Chromium or Chrome for Testing, and name it with `--browser` or `CHROME_PATH`.',
  ),
  CS_BROWSER_FEATURES: environment(
    'The browser does not know a feature of a preset, so enabling it would change nothing.',
    'Name another browser with `--browser`, or omit the preset; `npm run doctor` lists those that a browser has.',
  ),
  CS_BROWSER_LAUNCH: failure(
    'Chromium did not start.',
    'Start it by hand with `--headless` and read its output, or name another with `--browser`.',
  ),
  CS_BROWSER_ANSWER: failure(
    'The browser did not answer: it crashed, was ended, or lost its page.',
    'Start the command again.',
  ),
  CS_BROWSER_GONE: failure(
    'The browser ended during the run.',
    'Start the command again; if it ends again, check whether the machine runs out of memory.',
  ),
  CS_BROWSER_PAGE: failure(
    'The page, or its debugging session, was not found in the browser.',
    'Start the command again.',
  ),
  CS_BROWSER_READ: failure(
    'The page could not read a URL.',
    'Correct the reason, or look up the status, that the message names.',
  ),
  CS_BROWSER_TRACE: failure(
    'Chromium did not start a trace, or did not return it.',
    'Start the command again.',
  ),
  CS_PAGE_CRASHED: failure(
    'The renderer process of the page ended.',
    'Check whether the machine runs out of memory, then start the command again.',
  ),
  CS_FILL_DICTIONARY: failure(
    'Chromium did not advertise the dictionary while its cache was populated.',
    'Use Chromium 130 or newer; `chrome://net-internals/#sharedDictionary` lists the dictionaries it has.',
  ),
  CS_FILL_CODING: failure(
    'A response came in another content coding than its arm needs, or was not sent to its end.',
    'Look for a proxy, or for browser options that change content codings.',
  ),
  CS_FILL_BODY: failure(
    'A response had other bytes than the resource.',
    'Look for a proxy or another program that changes responses.',
  ),
  CS_FILL_STATUS: failure(
    'A resource could not be loaded with status 200 while the cache was populated.',
    'Correct the reason, or look up the status, that the message names.',
  ),
  CS_FILL_NOT_STORED: failure(
    'Chromium did not keep the resource in its cache.',
    'Choose a resource that is larger than its encoded form and at most an eighth of the cache.',
  ),
  CS_FILL_BACK_END: failure(
    'Chromium did not use the disk cache back end that was requested.',
    'Omit that back end: this Chromium does not have it, or not under this name.',
  ),
  CS_BLOCK_TRACE: failure(
    'The kernel has no block tracepoints.',
    'Use a kernel with CONFIG_BLK_DEV_IO_TRACE, or nbd-live, which keeps a log of its own.',
  ),
  CS_SYSCALLS: failure(
    'The system calls of the browser cannot be traced: strace is missing or cannot attach.',
    'Install strace and allow it to attach, or omit `--witness`.',
  ),
} satisfies ErrorEntries;
