import { html, type TemplateResult } from 'lit';
import { chartCanvas, type DrawChart } from './chart-canvas.ts';

/** One chart with its title and caption. */
export interface Figure {
  /** The element id of the figure in the page, and the name of its image file. */
  id: string;
  title: string;
  caption: string;
  /** Takes the whole width of the page. */
  isWide?: boolean;
  heightPx: number;
  draw: DrawChart;
}

/** A figure in the page. A change in `key` draws the chart again. */
export function figureView(figure: Figure, key: readonly unknown[]): TemplateResult {
  const { id, title, caption, isWide = false, heightPx, draw } = figure;
  return html`<figure id=${id} ?data-wide=${isWide}>
    <figcaption>
      <h3>${title}</h3>
      <p>${caption}</p>
    </figcaption>
    ${chartCanvas(`${title}. ${caption}`, heightPx, key, draw)}
  </figure>`;
}
