import { basename } from 'node:path';
import { readHarPage } from '@cachescope/model/pageload/har.ts';
import { listForm, readListPage } from '@cachescope/model/pageload/list.ts';
import type { Page, ReadPage } from '@cachescope/model/pageload/page.ts';
import { type Parsed, parsedJson } from '@cachescope/model/parsed.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { sampleHar } from '@cachescope/origin/workloads/pageload-samples.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import type { PageChoice } from './options.ts';

/** Largest file that is read, bytes: an archive with bodies is large, and V8 limits a string to 512 MiB. */
export const largestFileBytes = 400 * 1024 ** 2;
/** Maximum number of problems shown; a broken file may have one per entry. */
const mostShown = 20;

const harHint =
  'Export it again from DevTools (Network, Export HAR with content), or name another.';
const listHint = `A line of a list is ${listForm}.`;

/**
 * Reads the page that the command line names, from its archive (`har`; null: from a list). `record` loads a URL and
 * returns its archive.
 *
 * @throws CachescopeError CS_PAGELOAD_FILE, CS_PAGELOAD_PAGE with all problems, exit code 2.
 */
export async function readSource(
  source: PageChoice,
  bodies: Page['bodies'],
  record: (url: string, external: boolean) => Promise<object>,
): Promise<{ read: ReadPage; har: object | null }> {
  if (source.from === 'list') {
    const list = { name: basename(source.path), text: readText(source.path) };
    return { read: whole(readListPage(list), listHint), har: null };
  }
  const { name, har } = await archiveOf(source, record);
  return { read: whole(readHarPage({ name, json: har }, bodies)), har };
}

async function archiveOf(
  source: Exclude<PageChoice, { from: 'list' }>,
  record: (url: string, external: boolean) => Promise<object>,
): Promise<{ name: string; har: object }> {
  if (source.from === 'sample')
    return { name: `sample ${source.name}`, har: sampleHar(source.name) };
  if (source.from === 'url')
    return { name: source.url, har: await record(source.url, source.external) };
  const name = basename(source.path);
  const json = whole(parsedJson(name, readText(source.path)));
  return { name, har: json as object };
}

function whole<Value>(parsed: Parsed<Value>, hint = harHint): Value {
  if ('value' in parsed) return parsed.value;
  throw new CachescopeError(
    'CS_PAGELOAD_PAGE',
    `the page cannot be read:${problemList(parsed.problems)}`,
    { hint },
  );
}

/** Problems as a list, a line each: the first ones of many. */
export function problemList(problems: readonly string[]): string {
  const shown = problems.slice(0, mostShown).map((problem) => `\n  - ${problem}`);
  const more = problems.length > mostShown ? `\n  and ${problems.length - mostShown} more` : '';
  return `${shown.join('')}${more}`;
}

function readText(path: string): string {
  try {
    return readForeignText(path, { mostBytes: largestFileBytes });
  } catch (error) {
    throw new CachescopeError('CS_PAGELOAD_FILE', messageOf(error));
  }
}
