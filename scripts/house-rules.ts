// The house rules that the linter cannot enforce. ARCHITECTURE.md states them in the same words.
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A file under version control. */
export interface TrackedFile {
  /** Relative to the root of the project, with slashes. */
  path: string;
  bytes: number;
}

/** A rule, in the words of ARCHITECTURE.md. */
export interface HouseRule {
  words: string;
  /** Violations of the rule: paths, with the exceeded number where there is one. */
  broken: (files: readonly TrackedFile[]) => string[];
}

const mostFiles = 40;
const mostBytes = 400_000;
const topFolders = new Set(['extension', 'harness', 'origin', 'scripts', 'test']);
const emptyWord = /(?<![a-z])(utils?|helpers?|common|misc|managers?)(?![a-z])/i;

/** All rules, in the order in which they are reported. */
export const houseRules: readonly HouseRule[] = [
  {
    words: 'No folder holds more than 40 files directly; tests (`*.test.ts`) are not counted.',
    broken: (files) =>
      [...Map.groupBy(files.filter(isNoTest), ({ path }) => dirname(path))]
        .filter(([, inside]) => inside.length > mostFiles)
        .map(([folder, inside]) => `${folder}: ${inside.length} files`),
  },
  {
    words:
      'The only top-level folders are `extension`, `harness`, `origin`, `scripts` and `test`, and folders whose name begins with a dot.',
    broken: (files) =>
      [
        ...new Set(files.flatMap(({ path }) => (path.includes('/') ? path.split('/', 1) : []))),
      ].filter((folder) => !folder.startsWith('.') && !topFolders.has(folder)),
  },
  {
    words: 'No file in git is larger than 400 kB, except `pnpm-lock.yaml`.',
    broken: (files) =>
      files
        .filter(({ path, bytes }) => bytes > mostBytes && path !== 'pnpm-lock.yaml')
        .map(({ path, bytes }) => `${path}: ${Math.ceil(bytes / 1000)} kB`),
  },
  {
    words:
      'No file name contains the word `utils`, `helpers`, `common`, `misc` or `manager`; `common-log`, the Common Log Format, is allowed.',
    broken: (files) =>
      files
        .map(({ path }) => path)
        .filter((path) => emptyWord.test(basename(path).replaceAll('common-log', ''))),
  },
];

function isNoTest({ path }: TrackedFile): boolean {
  return !path.endsWith('.test.ts');
}

/** The files that git tracks in the working tree. A tracked file that was deleted there is excluded. */
function trackedFiles(): TrackedFile[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
  const paths = listed.split('\0').filter(Boolean);
  return paths.flatMap((path) => {
    const bytes = lstatSync(path, { throwIfNoEntry: false })?.size;
    return bytes === undefined ? [] : [{ path, bytes }];
  });
}

function main(): void {
  const files = trackedFiles();
  for (const { words, broken } of houseRules) {
    const found = broken(files);
    if (found.length === 0) continue;
    console.error(`${words}\n${found.map((each) => `  ${each}`).join('\n')}`);
    process.exitCode = 1;
  }
}

if (import.meta.main) main();
