/** A row of the table that the nginx tempfiles benchmark published. Bytes are those of the payload, times in seconds. */
export interface PublishedRow {
  suite: 'full' | '1s' | '3s';
  system: 'nginx-pass' | 'nginx-lock' | 'nginx-patched-lock' | 'nginx-tempfiles';
  originRequests: number;
  originBytes: number;
  originMbps: number;
  requests: number;
  bytes: number;
  mbps: number;
  byteWaitS: number;
  firstByteS: number;
  /** Percent. */
  hitRate: number;
}

type Figures = readonly [number, number, number, number, number, number, number, number, number];

function row(suite: PublishedRow['suite'], system: PublishedRow['system'], figures: Figures) {
  const [originRequests, originBytes, originMbps, requests, bytes, mbps, ...rest] = figures;
  const [byteWaitS, firstByteS, hitRate] = rest;
  const origin = { originRequests, originBytes, originMbps };
  return { suite, system, ...origin, requests, bytes, mbps, byteWaitS, firstByteS, hitRate };
}

/**
 * What the benchmark published, with 100 workers for 30 s and files of 30 MiB, on a machine it does not name: history, to be
 * read beside our rows and not compared with them figure by figure. Its last four rows are headed "1s" there by mistake.
 */
export const publishedRows: readonly PublishedRow[] = [
  row(
    'full',
    'nginx-pass',
    [172, 5_410_652_160, 1426.52, 5707, 179_526_696_960, 47_329.51, 0.31, 0.09, 96.99],
  ),
  row(
    'full',
    'nginx-lock',
    [55, 1_730_150_400, 455.7, 5181, 162_980_167_680, 42_925.05, 0.34, 0.1, 98.94],
  ),
  row(
    'full',
    'nginx-patched-lock',
    [56, 1_761_607_680, 464.75, 5141, 161_721_876_480, 42_662.65, 0.34, 0.1, 98.91],
  ),
  row(
    'full',
    'nginx-tempfiles',
    [60, 1_887_436_800, 499.12, 5198, 163_510_173_227, 43_237.53, 0.33, 0.09, 98.85],
  ),
  row(
    '1s',
    'nginx-pass',
    [917, 28_846_325_760, 7405.9, 2020, 63_543_705_600, 16_312.78, 0.86, 0.11, 54.6],
  ),
  row(
    '1s',
    'nginx-lock',
    [30, 943_718_400, 242.76, 2929, 92_138_373_120, 23_700.89, 0.97, 0.9, 98.98],
  ),
  row(
    '1s',
    'nginx-patched-lock',
    [30, 943_718_400, 243.03, 2948, 92_736_061_440, 23_880.69, 0.97, 0.9, 98.98],
  ),
  row(
    '1s',
    'nginx-tempfiles',
    [30, 943_718_400, 245.29, 3000, 94_371_833_907, 24_527.75, 0.5, 0.02, 99],
  ),
  row(
    '3s',
    'nginx-pass',
    [915, 28_783_411_200, 7026.24, 946, 29_758_586_880, 7263.74, 1.65, 0.19, 3.28],
  ),
  row('3s', 'nginx-lock', [10, 314_572_800, 81.3, 1000, 31_457_280_000, 8129.4, 3, 2.92, 99]),
  row(
    '3s',
    'nginx-patched-lock',
    [10, 314_572_800, 81.14, 1000, 31_457_280_000, 8113.45, 2.99, 2.89, 99],
  ),
  row(
    '3s',
    'nginx-tempfiles',
    [10, 314_572_800, 82.64, 1000, 31_457_280_000, 8262.88, 1.49, 0.02, 99],
  ),
];
