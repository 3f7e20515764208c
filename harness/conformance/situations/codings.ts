import { ofOneFile, reads, topic } from '../situation.ts';

const twice = reads({}, {});

/** Responses in each coding and of each size, read twice. */
export const codings = topic('codings', [
  ofOneFile('whole, dcz', {}, twice),
  ofOneFile('whole, dcb', { coding: 'dcb' }, twice),
  ofOneFile('bytes that do not compress', { body: 'noise' }, twice),
  ofOneFile('900 bytes', { body: 'small' }, twice),
  ofOneFile('an empty body', { body: 'empty' }, twice),
]);
