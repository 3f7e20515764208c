// npm run release: writes to dist/release-VERSION the package for npm, the extension for a store, the notes of the
// version, and their checksums. Both builds are made twice, from scratch, and must be identical.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { storeZip } from '../zip.ts';

const root = join(import.meta.dirname, '../..');
/** Size limit of the package for a registry and slow connections, bytes; its dependencies are not counted. */
const mostBytes = 12_000_000;

/** The section of a version in a changelog in the format of keepachangelog.com; null when there is none. */
export function notesOf(version: string, changelog: string): string | null {
  const [, ...sections] = changelog.split(/^(?=## \[)/m);
  return sections.find((section) => section.startsWith(`## [${version}]`)) ?? null;
}

/** Checksums of files in the format of `sha256sum --check`. */
export function checksums(files: Readonly<Record<string, Uint8Array>>): string {
  return Object.entries(files)
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('');
}

async function built(version: string): Promise<Record<string, Uint8Array>> {
  for (const folder of ['dist/application', 'extension/dist'])
    rmSync(join(root, folder), { recursive: true, force: true });
  const zip = storeZip(await builtExtension());
  const place = mkdtempSync(join(tmpdir(), 'cachescope-release-'));
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', place], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const tarball = `cachescope-${version}.tgz`;
    return {
      [tarball]: readFileSync(join(place, tarball)),
      [`cachescope-extension-${version}.zip`]: zip,
    };
  } finally {
    rmSync(place, { recursive: true });
  }
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

async function main(): Promise<void> {
  if (process.argv.length > 2)
    refuse(
      'npm run release takes no options. It writes the package for npm, the zip for a store, the notes of the version and checksums to dist.',
    );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const notes = notesOf(version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  if (notes === null)
    refuse(
      `CHANGELOG.md has no section "## [${version}]", the version of package.json: write it, or change the version.`,
    );
  const out = join(root, `dist/release-${version}`);
  if (existsSync(out)) refuse(`${out} exists; a release is written to a new directory only.`);
  const first = await built(version);
  const second = await built(version);
  for (const [name, bytes] of Object.entries(first)) {
    if (!Buffer.from(bytes).equals(second[name] ?? new Uint8Array()))
      throw new Error(`${name}: two builds of the same sources differ`);
    if (bytes.length > mostBytes)
      throw new Error(`${name} has ${bytes.length} bytes, at most ${mostBytes} are allowed`);
  }
  mkdirSync(out, { recursive: true });
  const files = { ...first, 'NOTES.md': Buffer.from(notes) };
  const text = checksums(files);
  for (const [name, bytes] of Object.entries({ ...files, SHA256SUMS: text }))
    writeFileSync(join(out, name), bytes);
  console.log(`${out}\n${text}`);
}

if (import.meta.main) await main();
