import { basename } from 'node:path';
import { Command } from 'commander';
import { readHar } from '@cachescope/model/har/import.ts';
import { responseUrl } from '@cachescope/model/load/load.ts';
import { parsedJson } from '@cachescope/model/parsed.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf, usageError } from '../../error.ts';
import { largestFileBytes, problemList } from '../../experiments/pageload/source.ts';
import type { OptionValues } from '../../options/option-table.ts';
import { runWithTable } from '../../options/table-command.ts';
import { show, showJson } from '../../terminal.ts';
import { answerFindings } from './answer-rules.ts';
import { deploymentFindings } from './deployment.ts';
import { type Finding, findingsText } from './finding.ts';
import { offerFindings } from './offer-rules.ts';

const examples = `
Examples:
  npm run lint -- https://example.com/app.v1.js https://example.com/app.v2.js
  npm run lint -- recording.har        header fields only; contacts no host

The first URL offers a dictionary that matches the second. Only URLs that you
type are requested, without cookies, and no redirect is followed. Exit code 10:
an error was found.`;

/** `cachescope lint`: is a deployment of compression dictionaries right? */
export function lintCommand(): Command {
  const command = new Command('lint')
    .summary('check a deployment of compression dictionaries (RFC 9842)')
    .description(
      'Checks dictionaries and the responses that use them: offer, freshness, Vary, labels, window, and whether the decoded bytes are right. Each finding names the section of the RFC and the fix. Needs no root and no browser.',
    )
    .addHelpText('after', examples);
  return runWithTable(command, table, lint);
}

const table = {
  'url-or-file': {
    isArgument: true,
    isRequired: true,
    isRepeatable: true,
    value: '<url>',
    description: 'URLs of a dictionary and of resources that use it; or a HAR file',
  },
  json: { description: 'print the findings as JSON' },
} as const;

async function lint({ 'url-or-file': words, json }: OptionValues<typeof table>): Promise<void> {
  const found = await findingsOf(words);
  // Several requests of one URL have the same findings.
  const findings = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  if (json) showJson({ findings });
  else show(findingsText(findings));
  const errors = findings.filter(({ level }) => level === 'error');
  if (errors.length > 0)
    throw new CachescopeError(
      'CS_LINT',
      [...new Set(errors.map(({ says }) => `\n  - ${says}`))].join(''),
    );
}

async function findingsOf(words: readonly string[]): Promise<Finding[]> {
  const urls = words.filter((word) => /^https?:\/\//i.test(word));
  const [file, ...others] = words.filter((word) => !urls.includes(word));
  if (file === undefined) return deploymentFindings(typedUrls(urls));
  if (urls.length + others.length > 0)
    throw usageError(['type URLs (https://...), or one HAR file']);
  return archiveFindings(file);
}

function typedUrls(words: readonly string[]): string[] {
  const problems = words.filter((word) => !URL.canParse(word)).map((word) => `${word} is no URL`);
  if (problems.length > 0) throw usageError(problems);
  // A fragment is not requested.
  return [...new Set(words.map((word) => new URL(word).href.split('#', 1).join()))];
}

/** @throws CachescopeError CS_HAR */
function archiveFindings(path: string): Finding[] {
  const name = basename(path);
  const json = parsedJson(name, textOf(path));
  const read = 'problems' in json ? json : readHar({ name, json: json.value });
  if ('problems' in read) throw new CachescopeError('CS_HAR', problemList(read.problems));
  const exchanges = read.value.flatMap(({ startedAt, resources }) =>
    resources.map((resource) => ({
      url: responseUrl(resource),
      status: resource.status,
      requestHeaders: resource.requestHeaders ?? [],
      headers: resource.responseHeaders ?? [],
      receivedAt: Date.parse(startedAt) + resource.startMs + (resource.durationMs ?? 0),
      decodedBytes: resource.decodedBytes,
    })),
  );
  return exchanges.flatMap((exchange) => [...offerFindings(exchange), ...answerFindings(exchange)]);
}

function textOf(path: string): string {
  try {
    return readForeignText(path, { mostBytes: largestFileBytes });
  } catch (error) {
    throw new CachescopeError('CS_HAR', messageOf(error));
  }
}
