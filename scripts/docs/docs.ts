// npm run docs [-- --check]: writes the files that are generated from code (pages, package.json), or lists the stale
// ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { errorsPage, errorsPagePath } from './errors-page.ts';
import { manifest, manifestPath } from './manifest.ts';
import { referencePage, referencePagePath } from './reference-page.ts';

const pages = [
  { path: errorsPagePath, text: errorsPage() },
  { path: manifestPath, text: manifest() },
  { path: referencePagePath, text: await referencePage() },
];

for (const { path, text } of pages) {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is stale: npm run docs`);
    process.exitCode = 1;
  }
}
