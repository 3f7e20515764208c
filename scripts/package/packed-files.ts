import { globSync } from 'node:fs';

const packed = '{harness,origin,extension/model}/**/*.{ts,js,mjs,py,html}';
const notPacked = [
  '**/node_modules/**',
  '**/*.d.ts',
  // Tests, and what only tests, benchmarks and pictures use.
  '**/*.test.ts',
  '**/fixtures/**',
  '**/*-fixture.ts',
  '**/*-under-test.ts',
  '**/made-up-*.ts',
  'harness/browser/panel-browser.ts',
  'harness/situations/**',
];

/** Files of the project that a running program reads, by their paths below `root`. */
export function packedFiles(root: string): string[] {
  return globSync(packed, { cwd: root, exclude: notPacked }).toSorted();
}
