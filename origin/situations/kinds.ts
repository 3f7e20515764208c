import { image, script, served, style, text } from './page.ts';
import type { ServedFile } from './situation.ts';

/** One way in which a document asks for a resource. */
export interface Kind {
  file: (more?: Partial<ServedFile>) => ServedFile;
  /** What the document runs, with the URL as an expression. It settles when the response came or failed. */
  run: (url: string) => string;
  /** Another origin may not give it. */
  isSameOrigin?: true;
}

/** A second of silence: 8 bits, mono, 8,000 samples a second. Each byte is below 128, so the text is the file. */
const wave =
  'RIFF\x34\x10\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x10\x10\0\0' +
  '\x7f'.repeat(0x1010);
const html = served('text/html; charset=utf-8', '<!doctype html><title>A frame</title>'.repeat(9));
const media = served('audio/wav', wave);
const words = served('application/json', JSON.stringify('and so it goes on '.repeat(99)));
const track = served('text/vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nWords\n'.padEnd(999, '\n'));
const module = served('application/wasm', '\0asm\x01\0\0\0');

const parsed = (markup: (url: string) => string) => (url: string) =>
  `await parsed(\`${markup(`\${${url}}`)}\`, ${url});`;
const fetched =
  (options = '') =>
  (url: string) =>
    `await ended(read(${url}${options}));`;
const imported =
  (options = '') =>
  (url: string) =>
    `await ended(import(${url}${options}));`;
const element = (tag: string, attributes: (url: string) => string) => (url: string) =>
  `await ended(load('${tag}', { ${attributes(url)} }));`;

/** By the name of the kind. Each is one request of the document, with an entry of Resource Timing. */
export const kinds: Readonly<Record<string, Kind>> = {
  fetch: { file: text, run: fetched() },
  'fetch-keepalive': { file: text, run: fetched(', { keepalive: true }') },
  'fetch-high-priority': { file: words, run: fetched(`, { priority: 'high' }`) },
  xhr: { file: text, run: (url) => `await xhr(${url});` },
  script: { file: script, run: element('script', (url) => `src: ${url}`) },
  'script-async': { file: script, run: element('script', (url) => `src: ${url}, async: true`) },
  module: { file: script, run: element('script', (url) => `src: ${url}, type: 'module'`) },
  'dynamic-import': { file: script, run: imported() },
  'json-import': { file: words, run: imported(`, { with: { type: 'json' } }`) },
  'style-import': { file: style, run: imported(`, { with: { type: 'css' } }`) },
  style: { file: style, run: element('link', (url) => `rel: 'stylesheet', href: ${url}`) },
  'style-for-print': {
    file: style,
    run: element('link', (url) => `rel: 'stylesheet', media: 'print', href: ${url}`),
  },
  'at-import': {
    file: style,
    run: (url) =>
      `await ended(load('style', { textContent: '@import url(' + JSON.stringify(${url}) + ')' }));`,
  },
  image: { file: image, run: element('img', (url) => `src: ${url}`) },
  'image-set': { file: image, run: element('img', (url) => `srcset: ${url} + ' 1x'`) },
  'image-decoded-late': {
    file: image,
    run: element('img', (url) => `decoding: 'async', src: ${url}`),
  },
  'image-with-cors': {
    file: image,
    run: element('img', (url) => `crossOrigin: 'anonymous', src: ${url}`),
  },
  'input-image': { file: image, run: element('input', (url) => `type: 'image', src: ${url}`) },
  'svg-image': {
    file: image,
    run: parsed(
      (url) => `<svg width="9" height="9"><image width="9" height="9" href="${url}"/></svg>`,
    ),
  },
  background: {
    file: image,
    run: parsed((url) => `<p style="background-image: url(${url})">A background</p>`),
  },
  poster: {
    file: image,
    run: parsed((url) => `<video width="9" height="9" poster="${url}"></video>`),
  },
  audio: { file: media, run: (url) => `await played('audio', ${url});` },
  track: { file: track, run: (url) => `await tracked(${url});`, isSameOrigin: true },
  font: {
    file: text,
    run: (url) => `await ended(new FontFace('a' + Math.random(), 'url(' + ${url} + ')').load());`,
  },
  frame: { file: html, run: element('iframe', (url) => `src: ${url}`) },
  wasm: { file: module, run: (url) => `await ended(WebAssembly.compileStreaming(fetch(${url})));` },
  'audio-worklet': {
    file: script,
    run: (url) =>
      `await ended(new OfflineAudioContext(1, 99, 8000).audioWorklet.addModule(${url}));`,
  },
  'preload-link': {
    file: image,
    run: element('link', (url) => `rel: 'preload', as: 'image', href: ${url}`),
  },
  'modulepreload-link': {
    file: script,
    run: element('link', (url) => `rel: 'modulepreload', href: ${url}`),
  },
};
