import { html, type TemplateResult } from 'lit';
import { chartCanvas, type DrawChart } from './chart-canvas.ts';

/** One chart with its words. */
export interface Figure {
  /** Names the figure in the page, and its picture on disk. */
  id: string;
  title: string;
  caption: string;
  heightPx: number;
  draw: DrawChart;
}

/** A figure in the page. `key` holds what its chart is drawn from. */
export function figureView(figure: Figure, key: readonly unknown[]): TemplateResult {
  const { id, title, caption, heightPx, draw } = figure;
  return html`<figure id=${id}>
    <figcaption>
      <h3>${title}</h3>
      <p>${caption}</p>
    </figcaption>
    ${chartCanvas(`${title}. ${caption}`, heightPx, key, draw)}
  </figure>`;
}
