import { linkLack } from '../harness/network/emulated-link.ts';

/** Why an emulated link cannot be tested here, or null when it can. */
export const linkLacking = linkLack() ?? (process.getuid?.() === 0 ? null : 'it needs root');
if (linkLacking) console.warn(`What needs an emulated link is skipped: ${linkLacking}`);
