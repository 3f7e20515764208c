import { cacheDirectives } from '@cachescope/model/caching/cache-directives.ts';
import { fieldValue, listMembers } from '@cachescope/model/load/header-fields.ts';
import { type Finding, rfc9842 } from './finding.ts';
import type { Exchange } from './offer-rules.ts';

/** Names of earlier drafts, which no browser decodes any more. */
const draftCodings: Readonly<Record<string, string>> = {
  sbr: 'dcb',
  'br-d': 'dcb',
  'zstd-d': 'dcz',
  'zst-d': 'dcz',
};

/** The dictionary coding of a response; null: none. */
export function dictionaryCoding({ headers }: Exchange): 'dcb' | 'dcz' | null {
  const codings = listMembers(fieldValue(headers, 'content-encoding'));
  return codings.find((coding) => coding === 'dcb' || coding === 'dcz') ?? null;
}

/**
 * What is wrong with the header fields of a response whose representation depends on a dictionary. `isVariant`: it is
 * not coded with one, but another representation of the URL is.
 */
export function answerFindings(exchange: Exchange, isVariant = false): Finding[] {
  const { url, headers, requestHeaders } = exchange;
  const coding = dictionaryCoding(exchange);
  const named = listMembers(fieldValue(headers, 'content-encoding'));
  const drafts = named.filter((name) => Object.hasOwn(draftCodings, name));
  const findings: Finding[] = drafts.map((name) => ({
    level: 'error',
    url,
    says: `the content coding ${name} is that of a draft: browsers do not decode it`,
    rule: rfc9842('6.2'),
    fix: `send Content-Encoding: ${draftCodings[name]} and a body with its header.`,
  }));
  if (coding === null && !isVariant) return findings;
  findings.push(...varyFindings(exchange, coding));
  const offered = fieldValue(requestHeaders, 'available-dictionary');
  const accepted = listMembers(fieldValue(requestHeaders, 'accept-encoding'));
  if (coding !== null && (offered === null || !accepted.includes(coding)) && accepted.length > 0)
    findings.push({
      level: 'error',
      url,
      says: `the response is coded in ${coding}, but the request ${offered === null ? 'names no dictionary' : `does not accept ${coding}`}`,
      rule: rfc9842(offered === null ? '6.2' : '6.1'),
      fix: 'use a dictionary coding only when Accept-Encoding names it and Available-Dictionary names the dictionary.',
    });
  return findings;
}

function varyFindings({ url, headers }: Exchange, coding: string | null): Finding[] {
  const field = fieldValue(headers, 'vary');
  const directives = cacheDirectives(fieldValue(headers, 'cache-control'));
  if (directives.has('no-store')) return [];
  const names = listMembers(field);
  const what = coding === null ? 'the plain response' : `the response in ${coding}`;
  const rule = rfc9842('6.2');
  const fix =
    'send "Vary: Accept-Encoding, Available-Dictionary" with every representation of the URL, the plain ones too.';
  if (names.includes('*'))
    return [
      { level: 'error', url, says: `${what} has "Vary: *": no cache can reuse it`, rule, fix },
    ];
  const missing = ['accept-encoding', 'available-dictionary'].filter(
    (name) => !names.includes(name),
  );
  if (missing.length === 0) return [];
  const sent = field === null ? 'no Vary' : `"Vary: ${field}"`;
  const says = `${what} has ${sent}, without ${missing.join(' and ')}: a cache may give it to a client with another dictionary or none`;
  const firefox =
    coding === null ? '' : '; Firefox 147 rejected responses with "Vary: Accept-Encoding" alone';
  return [
    { level: coding === null ? 'warning' : 'error', url, says: `${says}${firefox}`, rule, fix },
  ];
}
