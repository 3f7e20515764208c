import type { Resource } from '@cachescope/model/load/load.ts';
import { count } from '@cachescope/model/quantity.ts';
import { nothing, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';

/** Headers that decide caching and dictionary use, with their effect (RFC 9111, RFC 9842, Resource Timing). */
const decisive: Readonly<Record<string, string>> = {
  'cache-control': 'Whether, where and how long it may be stored',
  expires: 'Fresh until this date, unless Cache-Control has max-age',
  age: 'Seconds since the origin generated or confirmed it',
  date: 'When the origin generated it; freshness counts from here',
  etag: 'Validator for conditional requests',
  'last-modified': 'Validator for conditional requests',
  'if-none-match': 'Conditional request: has it changed?',
  'if-modified-since': 'Conditional request: has it changed?',
  vary: 'Request headers that must match for a hit',
  'no-vary-search': 'Parts of the query that a hit may ignore',
  'content-encoding': 'Content coding of the body',
  'accept-encoding': 'Content codings that the browser accepts',
  'available-dictionary': 'Hash of the dictionary that the browser offered',
  'dictionary-id': 'Name of the offered dictionary',
  'use-as-dictionary': 'Registers this response as a dictionary',
  'clear-site-data': 'May empty the cache',
  pragma: 'no-cache, for old caches',
  range: 'Only a part was requested',
  'content-range': 'Only a part was sent',
  'timing-allow-origin': 'Lets other origins see sizes and times',
  'cross-origin-resource-policy': 'Who may embed it',
  'service-worker-allowed': 'Scope of a service worker',
  'cache-status': 'How caches on the way handled the request (RFC 9211)',
  'server-timing': 'Times reported by the server',
  link: 'May preload, or name a dictionary',
};

type Header = readonly [name: string, value: string];

/** Request and response headers, those that decide caching first. */
export function headersSection({ requestHeaders, responseHeaders }: Resource): TemplateResult {
  if (!requestHeaders && !responseHeaders) {
    return html`<p class="hint">
      Headers are not known: the page cannot see them. They are known while DevTools is open, at the
      evidence depth Debugger, and in HAR files.
    </p>`;
  }
  return html`${headerList('Response headers', responseHeaders)}
  ${headerList('Request headers', requestHeaders)}`;
}

function headerList(title: string, headers: readonly Header[] | undefined): TemplateResult {
  if (!headers)
    return html`<h3>${title}</h3>
      <p class="hint">Not known.</p>`;
  const isDecisive = ([name]: Header): boolean => Object.hasOwn(decisive, name.toLowerCase());
  const first = headers.filter(isDecisive);
  const rest = headers.filter((header) => !isDecisive(header));
  return html`<h3>${title}</h3>
    ${
      first.length === 0
        ? html`<p class="hint">None that decides about caches.</p>`
        : html`<dl class="headers">${first.map(headerLine)}</dl>`
    }
    ${
      rest.length === 0
        ? nothing
        : html`<details>
            <summary>${count(rest.length)} more</summary>
            <dl class="headers">${rest.map(headerLine)}</dl>
          </details>`
    }`;
}

function headerLine([name, value]: Header): TemplateResult {
  const says = decisive[name.toLowerCase()];
  return html`<dt title=${says ?? nothing}>${name}</dt>
    <dd>${value}${says ? html`<small>${says}</small>` : nothing}</dd>`;
}
