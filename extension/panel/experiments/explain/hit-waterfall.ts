import { armLabel } from '@cachescope/model/sweep/series.ts';
import { type DeviceRead, serialChain } from '@cachescope/model/explain/device-read.ts';
import { byteSize, counted, digits, milliseconds } from '@cachescope/model/quantity.ts';
import {
  type StepSpan,
  type TracedRead,
  waitedReads,
  wholeMs,
} from '@cachescope/model/explain/traced-read.ts';
import { nothing, svg, type SVGTemplateResult } from 'lit';
import { readWords, stepWords } from '@cachescope/model/explain/hit-words.ts';
import type { Syscall } from '@cachescope/model/explain/syscall.ts';
import { axisTicks } from '../../charts/axis-rounding.ts';

/** CSS pixels. */
const titlePx = 22;
const stepsPx = 20;
const callsPx = 7;
const gapPx = 5;
const blockGapPx = 18;
const axisPx = 32;
/** Maximum height of all device reads of one traced read; each read takes 3 to 13. */
const readsPx = 300;
const mostReadPx = 13;
const leastReadPx = 3;
/** A label fits into a bar that has this share of the width per letter. */
const letterShare = 0.011;

/** One traced read in the figure, and its position. */
interface Block {
  read: TracedRead;
  topPx: number;
  rowPx: number;
  heightPx: number;
}

/** Traced reads one below the other on one time axis: the steps of each read, and below them its device reads. */
export function hitWaterfall(reads: readonly TracedRead[], label: string): SVGTemplateResult {
  const spanMs = Math.max(1, ...reads.map(wholeMs)) * 1.02;
  const share = (ms: number): number => Math.min(1, Math.max(0, ms / spanMs));
  const blocks = placed(reads);
  const last = blocks.at(-1);
  const bottomPx = last ? last.topPx + last.heightPx : 0;
  return svg`<svg class="hit-waterfall" role="img" aria-label=${label} width="100%" height=${bottomPx + axisPx}>
    ${axisTicks(spanMs).map((ms) => tick(ms, share(ms), bottomPx))}
    ${blocks.map((block) => readBlock(block, share))}
    <text class="axis" x="100%" y=${bottomPx + 28} text-anchor="end">ms since fetch()</text>
  </svg>`;
}

function placed(reads: readonly TracedRead[]): Block[] {
  let topPx = 0;
  return reads.map((read) => {
    const rows = read.deviceReads?.length ?? 0;
    const rowPx = Math.min(mostReadPx, Math.max(leastReadPx, readsPx / Math.max(1, rows)));
    const heightPx = headPx(read) + rows * rowPx + blockGapPx;
    const block = { read, topPx, rowPx, heightPx };
    topPx += heightPx;
    return block;
  });
}

/** Height of the part above the device reads. */
function headPx({ syscalls }: TracedRead): number {
  return titlePx + stepsPx + gapPx + (syscalls === null ? 0 : callsPx);
}

const percent = (share: number): string => `${(100 * share).toFixed(3)}%`;

function tick(ms: number, share: number, bottomPx: number): SVGTemplateResult {
  return svg`<line class="grid" x1=${percent(share)} x2=${percent(share)} y1=${titlePx} y2=${bottomPx}></line>
    <text class="axis" x=${percent(share)} y=${bottomPx + 14} text-anchor=${share === 0 ? 'start' : 'middle'}>${digits(ms)}</text>`;
}

function readBlock(
  { read, topPx, rowPx }: Block,
  share: (ms: number) => number,
): SVGTemplateResult {
  const stepsY = topPx + titlePx;
  const readsY = topPx + headPx(read);
  const { deviceReads, serialReads, spans } = read;
  const isKnown = deviceReads !== null && serialReads !== null;
  const chain = isKnown ? serialChain(waitedReads(deviceReads, spans)) : [];
  return svg`<text class="title" y=${topPx + 14}>${titleOf(read)}</text>
    ${read.spans.map((span) => stepBar(span, stepsY, share))}
    ${(read.syscalls ?? []).map((call) => callBar(call, stepsY + stepsPx + 2, share))}
    ${(read.deviceReads ?? []).map((each, row) =>
      readBar(each, { y: readsY + row * rowPx, rowPx, place: chain.indexOf(each) + 1 }, share),
    )}`;
}

function titleOf(read: TracedRead): string {
  const { deviceReads, serialReads, cell } = read;
  const name = `${armLabel(cell)}: ${milliseconds(wholeMs(read))}`;
  if (deviceReads === null) return `${name}, device reads unknown`;
  const row = serialReads === null ? '' : `, ${counted(serialReads, 'serial read')}`;
  return `${name}, ${counted(deviceReads.length, 'device read')}${row}`;
}

function stepBar(
  { step, startMs, endMs }: StepSpan,
  y: number,
  share: (ms: number) => number,
): SVGTemplateResult {
  const { name, says } = stepWords[step];
  const from = share(startMs);
  const width = share(endMs) - from;
  const word =
    width > name.length * letterShare
      ? svg`<text class="word" x=${percent(from + width / 2)} y=${y + 14} text-anchor="middle">${name}</text>`
      : nothing;
  return svg`<g class="step ${step}"><title>${name}, ${digits(startMs)} to ${milliseconds(endMs)}: ${says}</title>
    <rect x=${percent(from)} y=${y} width=${percent(width)} height=${stepsPx}></rect>${word}</g>`;
}

/** Calls are too short and too many for labels. */
function callBar(call: Syscall, y: number, share: (ms: number) => number): SVGTemplateResult {
  const { name, file, kind, bytes, startMs, endMs, error } = call;
  const from = share(startMs);
  const what = [name, file ?? '', error ?? (bytes === null ? '' : byteSize(bytes))].join(' ');
  return svg`<g class="syscall ${kind}"><title>${what}, ${digits(startMs)} to ${milliseconds(endMs)}</title>
    <rect x=${percent(from)} y=${y} width=${percent(Math.max(0.001, share(endMs) - from))} height=${callsPx - 3}></rect></g>`;
}

/** A bar from issue to completion, labelled with its position in the longest chain of serial reads. */
function readBar(
  read: DeviceRead,
  { y, rowPx, place }: { y: number; rowPx: number; place: number },
  share: (ms: number) => number,
): SVGTemplateResult {
  const { startMs, endMs, bytes, kind, file } = read;
  const from = share(startMs);
  const to = share(endMs);
  const what = `${byteSize(bytes)}, ${readWords[kind]}`;
  const step = place > 0 ? `step ${place} · ` : '';
  const isLeft = to > 0.65 && from > 0.35;
  const word =
    rowPx >= mostReadPx
      ? svg`<text class="read-word" x=${percent(isLeft ? from : to)} dx=${isLeft ? -5 : 5} y=${y + 10} text-anchor=${isLeft ? 'end' : 'start'}>${step}${what}</text>`
      : nothing;
  return svg`<g class="device-read ${kind}"><title>${what}${file === undefined ? '' : ` (${file})`}, ${digits(startMs)} to ${milliseconds(endMs)}</title>
    <rect x=${percent(from)} y=${y + 1} width=${percent(Math.max(0.001, to - from))} height=${rowPx - 2}></rect>${word}</g>`;
}
