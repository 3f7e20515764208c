import type { DeviceReadKind } from './device-read.ts';
import type { HitStep } from './traced-read.ts';

/** The displayed name and description of each step of a read. */
export const stepWords: Readonly<Record<HitStep, { name: string; says: string }>> = {
  dispatch: { name: 'Dispatch', says: 'from fetch() in the page to the network service' },
  backendWait: { name: 'Back end', says: 'wait for the start of the disk cache' },
  entryOpen: { name: 'Open', says: 'the entry is looked up and opened' },
  lockWait: { name: 'Lock', says: 'wait for other users of the entry' },
  headerRead: {
    name: 'Headers',
    says: 'stored response headers, if not read when the entry is opened',
  },
  bodyRead: { name: 'Body', says: 'reads of the stored body' },
  decode: { name: 'Decode', says: 'of the content coding, including waits for the page' },
  dictionaryRead: { name: 'Dictionary', says: 'reads of the dictionary' },
  entryWrite: { name: 'Write', says: 'the response is written to the cache' },
  network: { name: 'Network', says: 'the request went to the network' },
  delivery: { name: 'Delivery', says: 'from the last byte in the network service to the page' },
  rest: { name: 'Rest', says: 'time between these steps' },
};

/** The displayed name of each kind of device read. */
export const readWords: Readonly<Record<DeviceReadKind, string>> = {
  metadata: 'file system metadata',
  headers: 'entry and headers',
  body: 'body',
  dictionary: 'dictionary',
  other: 'another file',
  unknown: 'unknown',
};
