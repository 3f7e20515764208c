import { createHash } from 'node:crypto';
import { cacheDirectives } from '@cachescope/model/caching/cache-directives.ts';
import {
  fieldValue,
  type HeaderFields,
  listMembers,
} from '@cachescope/model/load/header-fields.ts';
import { parsedUrl } from '@cachescope/model/web-url.ts';
import { answerFindings, dictionaryCoding } from './answer-rules.ts';
import { bodyFindings } from './body-rules.ts';
import { type Finding, rfc9842 } from './finding.ts';
import { offerFindings, offerOf } from './offer-rules.ts';
import { type Answer, ask, decodedBody, mostBodyBytes } from './request.ts';

const plainCodings = 'gzip, deflate, br, zstd';
const sameOrigin: HeaderFields = [
  ['sec-fetch-site', 'same-origin'],
  ['sec-fetch-mode', 'cors'],
  ['sec-fetch-dest', 'empty'],
];
const crossSite: HeaderFields = [
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-mode', 'no-cors'],
  ['sec-fetch-dest', 'script'],
];

/** One typed URL without a dictionary. */
interface Plain {
  answer: Answer;
  decoded: Uint8Array;
}

/** A dictionary that a typed URL offers. */
interface Dictionary extends Plain {
  url: string;
  hash: string;
  id: string;
  matches(url: string): boolean;
}

/**
 * What is wrong with the dictionaries of these URLs, and with the responses of the others that they match. Only these
 * URLs are requested, in the way of a browser, and each once more for each way in which a dictionary can be wrong.
 *
 * @throws CachescopeError CS_LINT_URL for a URL without a complete response.
 */
export async function deploymentFindings(urls: readonly string[]): Promise<Finding[]> {
  const plains: Plain[] = [];
  for (const url of urls) plains.push(await plainOf(url));
  const dictionaries = plains.flatMap((plain) => dictionaryOf(plain) ?? []);
  const findings = plains.flatMap(({ answer }) => [
    ...offerFindings(answer),
    ...answerFindings(answer),
    ...linkFindings(answer, urls),
  ]);
  if (!plains.some(({ answer }) => fieldValue(answer.headers, 'use-as-dictionary') !== null))
    findings.push({
      level: 'error',
      url: urls.join(' '),
      says: 'no response has Use-As-Dictionary, so no browser stores a dictionary',
      rule: rfc9842('2.1'),
      fix: 'send Use-As-Dictionary: match="..." with the dictionary, and type its URL too.',
    });
  for (const dictionary of dictionaries) findings.push(...(await useFindings(dictionary, plains)));
  return findings;
}

async function plainOf(url: string): Promise<Plain> {
  const answer = await ask(url, [['accept-encoding', plainCodings], ...sameOrigin]);
  const decoded = dictionaryCoding(answer) === null ? await decodedBody(answer) : Buffer.alloc(0);
  return { answer: { ...answer, decodedBytes: decoded.byteLength }, decoded };
}

function dictionaryOf({ answer, decoded }: Plain): Dictionary | null {
  const offer = offerOf(answer)?.offer;
  if (!offer || answer.status !== 200) return null;
  const { url } = answer;
  const hash = createHash('sha256').update(decoded).digest('base64');
  const matches = (other: string) =>
    parsedUrl(other)?.origin === parsedUrl(url)?.origin && offer.pattern.test(other);
  return { answer, decoded, url, hash, id: offer.id, matches };
}

/** A dictionary that a response names for a later page, and that was not typed. */
function linkFindings({ url, headers }: Answer, urls: readonly string[]): Finding[] {
  const links = fieldValue(headers, 'link') ?? '';
  return [...links.matchAll(/<([^>]*)>([^,<]*)/g)]
    .filter(([, , parameters = '']) =>
      /rel\s*=\s*"?[^";]*\bcompression-dictionary\b/i.test(parameters),
    )
    .map(([, target = '']) => URL.parse(target, url)?.href ?? target)
    .filter((target) => !urls.includes(target))
    .map((target) => ({
      level: 'note',
      url,
      says: `Link names the dictionary ${target}, which was not requested: type it too`,
      rule: rfc9842('3'),
      fix: '',
    }));
}

async function useFindings(dictionary: Dictionary, plains: readonly Plain[]): Promise<Finding[]> {
  const matched = plains.filter(({ answer }) => dictionary.matches(answer.url));
  const note = (says: string): Finding => ({
    level: 'note',
    url: dictionary.url,
    says,
    rule: rfc9842('2.2.2'),
    fix: '',
  });
  if (matched.length === 0)
    return [note('no typed URL matches the dictionary: type one that should use it')];
  const findings: Finding[] = [];
  for (const plain of matched) findings.push(...(await matchFindings(dictionary, plain)));
  return findings;
}

/** The findings of one URL with one dictionary: with each coding, and with requests that must get the plain response. */
async function matchFindings(dictionary: Dictionary, plain: Plain): Promise<Finding[]> {
  const { url } = plain.answer;
  const offered = (hash: string): HeaderFields => [
    ['available-dictionary', `:${hash}:`],
    ...(dictionary.id === '' ? [] : [['dictionary-id', JSON.stringify(dictionary.id)] as const]),
  ];
  const asked = (codings: string, hash: string, site = sameOrigin) =>
    ask(url, [['accept-encoding', `${plainCodings}${codings}`], ...offered(hash), ...site]);
  const findings: Finding[] = [];
  const coded: Answer[] = [];
  for (const coding of ['dcb', 'dcz']) {
    const answer = await asked(`, ${coding}`, dictionary.hash);
    if (dictionaryCoding(answer) !== null) coded.push(answer);
    findings.push(...answerFindings(answer), ...(await codedFindings(answer, dictionary, plain)));
  }
  // An old version, kept as the dictionary of newer ones, is rarely compressed with itself.
  if (coded.length === 0 && url === dictionary.url) return findings;
  if (coded.length === 0) {
    const says = `the dictionary ${dictionary.url} matches, and neither dcb nor dcz is answered`;
    const fix = 'compress with the dictionary that Available-Dictionary names, or narrow match.';
    return [...findings, { level: 'warning', url, says, rule: rfc9842('6.2'), fix }];
  }
  findings.push(...answerFindings(plain.answer, true));
  const other = createHash('sha256').update(`not ${dictionary.hash}`).digest('base64');
  const refused = [
    [
      await asked(', dcb, dcz', other),
      'to a request with another dictionary',
      '2.2',
      'compare the hash of Available-Dictionary with that of the dictionary.',
    ],
    [
      await asked('', dictionary.hash),
      'to a request that accepts no dictionary coding',
      '6.1',
      'use dcb and dcz only when Accept-Encoding names them.',
    ],
    [
      await asked(', dcb, dcz', dictionary.hash, crossSite),
      'to a page of another site that may not read it (no-cors)',
      '9.3.3',
      'check Sec-Fetch-Site and Sec-Fetch-Mode, and send such a page the plain response.',
    ],
  ] as const;
  for (const [answer, whom, section, fix] of refused)
    if (dictionaryCoding(answer) !== null)
      findings.push({
        level: 'error',
        url,
        says: `a response in a dictionary coding is sent ${whom}`,
        rule: rfc9842(section),
        fix,
      });
  const [first] = coded;
  const [cross] = refused[2];
  if (first && dictionaryCoding(cross) === null) findings.push(...siteFindings(first));
  return findings;
}

/** The answer depends on the site of the page, so a shared cache must know. */
function siteFindings({ url, headers }: Answer): Finding[] {
  const directives = cacheDirectives(fieldValue(headers, 'cache-control'));
  const vary = listMembers(fieldValue(headers, 'vary'));
  if (directives.has('private') || directives.has('no-store')) return [];
  if (vary.includes('sec-fetch-site') || vary.includes('*')) return [];
  return [
    {
      level: 'warning',
      url,
      says: 'the answer depends on Sec-Fetch-Site, which Vary does not name: a shared cache may send it to a page of another site',
      rule: rfc9842('9.3.3'),
      fix: 'add Sec-Fetch-Site (and Sec-Fetch-Mode) to Vary, or send Cache-Control: private with it.',
    },
  ];
}

async function codedFindings(
  answer: Answer,
  dictionary: Dictionary,
  plain: Plain,
): Promise<Finding[]> {
  const coding = dictionaryCoding(answer);
  if (coding === null) return unlabelledFindings(answer);
  const { url, body } = answer;
  const coded = {
    url,
    coding,
    encoded: body,
    dictionary: dictionary.decoded,
    mostBytes: mostBodyBytes,
  };
  const findings = await bodyFindings({ ...coded, plain: plain.decoded });
  if (!findings.some(({ says }) => says.includes('differs from the plain one'))) return findings;
  const again = await plainOf(url);
  if (Buffer.from(again.decoded).equals(Buffer.from(plain.decoded))) return findings;
  return bodyFindings({ ...coded, plain: null });
}

/** A body with the header of a dictionary coding and without its name. */
function unlabelledFindings({ url, body }: Answer): Finding[] {
  const start = Buffer.from(body.subarray(0, 8)).toString('hex');
  const coding = start.startsWith('ff444342') ? 'dcb' : start === '5e2a4d1820000000' ? 'dcz' : null;
  if (coding === null) return [];
  const says = `the body begins like ${coding} and Content-Encoding does not name it`;
  return [
    { level: 'error', url, says, rule: rfc9842('6.2'), fix: `send Content-Encoding: ${coding}.` },
  ];
}
