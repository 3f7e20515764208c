import { expect, test } from 'vitest';
import { parseBlockEvents, parseNbdkitLog } from './block-events.ts';

/** Written by kernel 6.18 for a loop device; the write, the flush and the last issue are added. */
const requests = `# tracer: nop
#
# entries-in-buffer/entries-written: 9/11   #P:2
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
 ThreadPoolForeg-20137   [001] ..... 34276.766273: block_rq_issue: 7,3 RM 4096 () 33992 + 8 be,0,4 [ThreadPoolForeg]
     ksoftirqd/1-22      [001] ..s.. 34276.771795: block_rq_complete: 7,3 RM () 33992 + 8 be,0,4 [0]
 ThreadPoolForeg-20137   [000] ..... 34276.771886: block_rq_issue: 7,3 RA 8192 () 1168 + 16 be,0,4 [ThreadPoolForeg]
 ThreadPoolForeg-20137   [000] ..... 34276.771893: block_rq_issue: 7,3 RM 4096 () 1160 + 8 be,0,4 [ThreadPoolForeg]
   kworker/u8:1-77       [000] ..... 34276.771900: block_rq_issue: 7,3 WS 4096 () 2000 + 8 be,0,4 [kworker/u8:1]
   kworker/u8:1-77       [000] ..... 34276.771900: block_rq_issue: 7,3 FF 0 () 0 + 0 be,0,4 [kworker/u8:1]
     ksoftirqd/0-14      [000] ..s.. 34276.777332: block_rq_complete: 7,3 RM () 1160 + 8 be,0,4 [0]
     ksoftirqd/1-22      [001] ..s.. 34276.777340: block_rq_complete: 7,3 RA () 1168 + 16 be,0,4 [0]
 ThreadPoolForeg-20137   [000] .N... 34276.789373: block_rq_issue: 7,3 RA 131072 () 263464 + 256 be,0,4 [ThreadPoolForeg]
`;

test('requests are paired by their offset, and ordered by issue', () => {
  const { reads } = parseBlockEvents(requests);
  expect(reads).toEqual([
    {
      issueUs: 34276766273,
      completeUs: 34276771795,
      offset: 33992 * 512,
      bytes: 4096,
      isMetadata: true,
      isReadAhead: false,
    },
    {
      issueUs: 34276771886,
      completeUs: 34276777340,
      offset: 1168 * 512,
      bytes: 8192,
      isMetadata: false,
      isReadAhead: true,
    },
    {
      issueUs: 34276771893,
      completeUs: 34276777332,
      offset: 1160 * 512,
      bytes: 4096,
      isMetadata: true,
      isReadAhead: false,
    },
  ]);
});

test('writes, flushes and requests in flight are not reads', () => {
  expect(parseBlockEvents(requests).reads).toHaveLength(3);
});

test('events that the buffer lost are counted', () => {
  expect(parseBlockEvents(requests).lostEvents).toBe(2);
  expect(parseBlockEvents('').lostEvents).toBe(0);
});

test('bios of a mapped device are parsed in the same way', () => {
  const bios = `
 ThreadPoolForeg-901     [000] ..... 12.000100: block_bio_queue: 252,0 RA 263464 + 256 [ThreadPoolForeg]
          <idle>-0       [001] ..s.. 12.005200: block_bio_complete: 252,0 RA 263464 + 256 [0]
`;
  expect(parseBlockEvents(bios).reads).toMatchObject([
    { issueUs: 12_000_100, completeUs: 12_005_200, bytes: 131_072 },
  ]);
});

test('a command of the device, as SCSI disks report it, is skipped', () => {
  const scsi = `
 chrome-5 [000] d..1. 7.000001: block_rq_issue: 8,0 R 4096 (28 00 00 00 08 00) 2048 + 8 none,0,0 [chrome]
 <idle>-0 [000] d.h1. 7.000301: block_rq_complete: 8,0 R (28 00 00 00 08 00) 2048 + 8 none,0,0 [0]
`;
  expect(parseBlockEvents(scsi).reads).toMatchObject([{ offset: 2048 * 512, bytes: 4096 }]);
});

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
