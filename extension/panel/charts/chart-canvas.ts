import { html, nothing, type TemplateResult } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import type { ElementPart } from 'lit';
import { applyChartTheme } from './chart-theme.ts';

/** Draws the chart on its canvas. */
export type DrawChart = (canvas: HTMLCanvasElement) => { destroy(): void };

/** Keeps one chart on a canvas, and draws it again when its data or the theme changes. */
class ChartDirective extends AsyncDirective {
  #chart: { destroy(): void } | undefined;
  #key: readonly unknown[] = [];
  #redraw: (() => void) | undefined;

  render(_key: readonly unknown[], _draw: DrawChart): typeof nothing {
    return nothing;
  }

  override update({ element }: ElementPart, [key, draw]: [readonly unknown[], DrawChart]) {
    if (key.length === this.#key.length && key.every((each, at) => each === this.#key[at])) {
      return nothing;
    }
    this.#key = key;
    this.#redraw = () => {
      this.#chart?.destroy();
      applyChartTheme();
      this.#chart = draw(element as HTMLCanvasElement);
    };
    // A chart takes its size from the page, and the canvas is not in the page yet.
    queueMicrotask(() => this.isConnected && this.#redraw?.());
    return nothing;
  }

  override disconnected(): void {
    this.#chart?.destroy();
    this.#chart = undefined;
  }

  override reconnected(): void {
    this.#redraw?.();
  }
}

const chart = directive(ChartDirective);

/** A chart with a text alternative. A change in `key` draws the chart again. */
export function chartCanvas(
  label: string,
  heightPx: number,
  key: readonly unknown[],
  draw: DrawChart,
): TemplateResult {
  return html`<div class="chart" .style=${`height: ${heightPx}px`}>
    <canvas role="img" aria-label=${label} ${chart(key, draw)}></canvas>
  </div>`;
}
