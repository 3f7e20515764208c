import type { Link } from '@cachescope/model/network/link.ts';
import { readLinks } from '../network/link-reading.ts';
import type { Problems } from './option-reading.ts';

/** One link, or none. */
function readLink(text: string, flag: string, problems: Problems): Link | undefined {
  const links = readLinks(text, flag, problems);
  if (links.length > 1)
    problems.push(`${flag} ${text} names ${links.length} links; name one for each run`);
  return links[0] ?? undefined;
}

/** For experiments whose browsers and other clients can run behind an emulated link. */
export const linkOption = {
  value: '<link>',
  description:
    'emulated link to the server (root), such as 20ms,50Mbit/s (harness/docs/transfer.md)',
  default: 'none',
  read: readLink,
};
