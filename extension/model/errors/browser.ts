import type { ErrorEntries } from './entry.ts';

/** Errors of Chromium, of populating its cache, and of tracing it. */
export const browserErrors = {
  CS_BROWSER_MISSING: {
    what: 'No usable Chromium was found.',
    fix: 'Install Chromium or Chrome for Testing, and name it with `--browser` or `CHROME_PATH`.',
    exitCode: 3,
  },
  CS_BROWSER_FEATURES: {
    what: 'The browser does not know a feature of a preset, so enabling it would change nothing.',
    fix: 'Name another browser with `--browser`, or omit the preset; `npm run doctor` lists those that a browser has.',
    exitCode: 3,
  },
  CS_BROWSER_LAUNCH: {
    what: 'Chromium did not start.',
    fix: 'Start it by hand with `--headless` and read its output, or name another with `--browser`.',
  },
  CS_BROWSER_ANSWER: {
    what: 'The browser did not answer: it crashed, was ended, or lost its page.',
    fix: 'Start the command again.',
  },
  CS_BROWSER_GONE: {
    what: 'The browser ended during the run.',
    fix: 'Start the command again; if it ends again, check whether the machine runs out of memory.',
  },
  CS_BROWSER_PAGE: {
    what: 'The page, or its debugging session, was not found in the browser.',
    fix: 'Start the command again.',
  },
  CS_BROWSER_READ: {
    what: 'The page could not read a URL.',
    fix: 'Correct the reason, or look up the status, that the message names.',
  },
  CS_BROWSER_TRACE: {
    what: 'Chromium recorded a trace and did not return it.',
    fix: 'Start the command again.',
  },
  CS_PAGE_CRASHED: {
    what: 'The renderer process of the page ended.',
    fix: 'Check whether the machine runs out of memory, then start the command again.',
  },
  CS_FILL_DICTIONARY: {
    what: 'Chromium did not advertise the dictionary while its cache was populated.',
    fix: 'Use Chromium 130 or newer; `chrome://net-internals/#sharedDictionary` lists the dictionaries it has.',
  },
  CS_FILL_CODING: {
    what: 'A response came in another content coding than its arm needs, or was not sent to its end.',
    fix: 'Look for a proxy, or for browser options that change content codings.',
  },
  CS_FILL_BODY: {
    what: 'A response had other bytes than the resource.',
    fix: 'Look for a proxy or another program that changes responses.',
  },
  CS_FILL_STATUS: {
    what: 'A resource could not be loaded with status 200 while the cache was populated.',
    fix: 'Correct the reason, or look up the status, that the message names.',
  },
  CS_FILL_NOT_STORED: {
    what: 'Chromium did not keep the resource in its cache.',
    fix: 'Choose a resource that is larger than its encoded form and at most an eighth of the cache.',
  },
  CS_FILL_BACK_END: {
    what: 'Chromium did not use the disk cache back end that was requested.',
    fix: 'Omit that back end: this Chromium does not have it, or not under this name.',
  },
  CS_BLOCK_TRACE: {
    what: 'The kernel has no block tracepoints.',
    fix: 'Use a kernel with CONFIG_BLK_DEV_IO_TRACE, or nbd-live, which keeps a log of its own.',
  },
  CS_SYSCALLS: {
    what: 'The system calls of the browser cannot be traced: strace is missing or cannot attach.',
    fix: 'Install strace and allow it to attach, or omit `--witness`.',
  },
} as const satisfies ErrorEntries;
