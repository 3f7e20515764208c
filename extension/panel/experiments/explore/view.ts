import type { ExploreRunDocument } from '@cachescope/model/explore/run.ts';
import { type LoadLine, summarizeExplore } from '@cachescope/model/explore/summary.ts';
import { count, milliseconds, unknownText } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { plainTable } from '../../charts/plain-table.ts';
import type { Commands } from '../../commands.ts';
import { loadTitle } from '../../loads/list.ts';
import { findingSection, runHeader, warningSection } from '../../run/sections.ts';
import { loadsFigure } from './loads-figure.ts';
import type { ViewTools } from '../../run/view-tools.ts';

/** An exploration by hand: the finding and the recorded loads. */
export function view({ run, loads }: ExploreRunDocument, { commands }: ViewTools): TemplateResult {
  const { trust, finding, loads: lines } = summarizeExplore(run, loads);
  const [headline = '', ...reasons] = finding;
  return html`<article>
    ${runHeader(
      {
        headline,
        title: `Explored by hand: ${run.plan.url}`,
        facts: [
          run.environment.chromium.version,
          run.plan.storage === 'none' ? 'no slow device' : run.plan.storage,
        ],
      },
      run,
      trust,
    )}
    <div class="conclusion">
      ${lines.length > 0 ? loadsFigure(lines) : nothing} ${findingSection(reasons)}
      ${warningSection(run.warnings)}
    </div>
    <section>
      <h2>Loads</h2>
      ${lines.length === 0 ? html`<p>None was recorded.</p>` : loadTable(lines, commands)}
    </section>
  </article>`;
}

const titles = ['Load', 'How', 'Delay', 'Resources', 'From cache', 'Unknown', 'Load event'];

function loadTable(lines: readonly LoadLine[], commands: Commands): TemplateResult {
  return plainTable(
    { label: 'Loads', titles, words: [1] },
    lines.map((line) => [
      html`<button type="button" class="link" @click=${() => commands.showLoad(line.id)}>
        ${loadTitle(line)}
      </button>`,
      line.navigationType.replace('_', '/'),
      line.delaysMs.map(milliseconds).join(', ') || unknownText,
      count(line.resources),
      count(line.fromCache),
      count(line.unknown),
      milliseconds(line.loadMs),
    ]),
  );
}
