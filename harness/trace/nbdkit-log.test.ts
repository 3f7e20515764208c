import { expect, test } from 'vitest';
import { parseNbdkitLog } from './nbdkit-log.ts';

const text = `2026-11-21 18:03:34.511967 connection=1 Extents id=1 offset=0x0 count=0x200000 req_one=0 ...
2026-11-21 18:03:34.513196 connection=1 Read id=2 offset=0x1000 count=0x20000 ...
2026-11-21 18:03:34.515109 connection=2 Read id=2 offset=0x100000 count=0x1000 ...
2026-11-21 18:03:34.516000 connection=1 Write id=3 offset=0x0 count=0x1000 fua=0 ...
2026-11-21 18:03:34.516100 connection=1 ...Write id=3 return=0
2026-11-21 18:03:34.518300 connection=2 ...Read id=2 return=0
2026-11-21 18:03:34.518401 connection=1 ...Read id=2 return=0
2026-11-21 18:03:34.600000 connection=1 Read id=4 offset=0x0 count=0x1000 ...
`;

test('reads are paired by connection and number, ordered by issue, in the clock of the traces', () => {
  const second = Date.parse('2026-11-21T18:03:34') * 1000;
  expect(parseNbdkitLog(text, second)).toEqual([
    { issueUs: 513_196, completeUs: 518_401, offset: 4096, bytes: 131_072, isMetadata: false },
    { issueUs: 515_109, completeUs: 518_300, offset: 1_048_576, bytes: 4096, isMetadata: false },
  ]);
});
