/**
 * How closely a load was watched. Each depth adds a witness and costs more (harness/docs/performance.md): `page` is
 * Resource Timing, `devtools` the HAR entries of an open DevTools, `debugger` the Network domain of chrome.debugger.
 */
export const evidenceDepths = ['page', 'webRequest', 'devtools', 'debugger'] as const;
export type EvidenceDepth = (typeof evidenceDepths)[number];

/** Redirect status codes (Fetch standard, "redirect status"). */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A header section is rarely longer, bytes. */
export const mostHeaderBytes = 1500;
