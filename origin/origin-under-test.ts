import { afterAll, beforeAll } from 'vitest';
import { type Origin, startOrigin } from './server.ts';
import { findWorkload } from './workloads/catalog.ts';
import { createWorkload, type Workload } from './workloads/workload.ts';

/** Accept-Encoding of Chromium 156 without a stored dictionary. */
export const chromium = 'gzip, deflate, br, zstd';
/** Name of the workload that tests read. */
export const name = 'synthetic:20KiB';
/** Token of the control routes. */
export const token = 'secret';

/** For tests to read once the origin has started. */
export interface OriginUnderTest {
  origin: Origin;
  workload: Workload;
  /** Headers of a same-origin fetch() in a Chromium that has stored the workload's dictionary. */
  holder: Record<string, string>;
  get(url: string, headers?: Record<string, string>): ReturnType<typeof inject>;
  head(url: string, headers?: Record<string, string>): ReturnType<typeof inject>;
}

async function inject(
  origin: Origin,
  method: 'GET' | 'HEAD',
  url: string,
  headers: Record<string, string> = {},
) {
  return origin.server.inject({ method, url, headers });
}

function holderOf(workload: Workload): Record<string, string> {
  const hash = Buffer.from(workload.dictionarySha256, 'hex').toString('base64');
  return {
    'accept-encoding': `${chromium}, dcb, dcz`,
    'available-dictionary': `:${hash}:`,
    'dictionary-id': `"${name}"`,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
  };
}

/** Starts an origin before the tests of a file and closes it after them. */
export function originUnderTest(): OriginUnderTest {
  const under = {} as OriginUnderTest;
  beforeAll(async () => {
    const workload = await findWorkload(name);
    const about = { name: 'other', title: '</script><b>other', contentType: 'text/plain' };
    const other = createWorkload(about, Buffer.from('one'), Buffer.from('two'));
    const origin = await startOrigin({ workloads: [workload, other], token });
    Object.assign(under, {
      origin,
      workload,
      holder: holderOf(workload),
      get: (url, headers) => inject(origin, 'GET', url, headers),
      head: (url, headers) => inject(origin, 'HEAD', url, headers),
    } satisfies OriginUnderTest);
  });
  afterAll(() => under.origin.close());
  return under;
}
