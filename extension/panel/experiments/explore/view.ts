import type { ExploreRunDocument } from '@cachescope/model/explore/run.ts';
import { type LoadLine, summarizeExplore } from '@cachescope/model/explore/summary.ts';
import { count, milliseconds } from '@cachescope/model/quantity.ts';
import { html, type TemplateResult } from 'lit';
import type { Commands } from '../../commands.ts';
import { loadTitle } from '../../loads/list.ts';
import { findingSection, runHeader, warningSection } from '../../run/sections.ts';
import type { ViewTools } from '../../run/view-tools.ts';

/** An exploration by hand: the finding and the recorded loads. */
export function view({ run, loads }: ExploreRunDocument, { commands }: ViewTools): TemplateResult {
  const { finding, loads: lines } = summarizeExplore(run, loads);
  return html`<article>
    ${runHeader(`Explored by hand: ${run.plan.url}`, run, [
      run.environment.chromium.version,
      run.plan.storage === 'none' ? 'no slow device' : run.plan.storage,
    ])}
    ${findingSection(finding)} ${warningSection(run.warnings)}
    <section>
      <h2>Loads</h2>
      ${lines.length === 0 ? html`<p>None was saved.</p>` : loadTable(lines, commands)}
    </section>
  </article>`;
}

function loadTable(lines: readonly LoadLine[], commands: Commands): TemplateResult {
  return html`<div class="scroll" role="region" aria-label="Loads" tabindex="0">
    <table>
      <thead>
        <tr>
          ${['Load', 'How', 'Delay', 'Resources', 'From cache', 'Unknown', 'Load event'].map(
            (title, place) => html`<th scope="col" class=${place < 2 ? 'word' : ''}>${title}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          (line) =>
            html`<tr>
              <th scope="row" class="word">
                <button type="button" class="link" @click=${() => commands.showLoad(line.id)}>
                  ${loadTitle(line)}
                </button>
              </th>
              <td class="word">${line.navigationType.replace('_', '/')}</td>
              <td>${milliseconds(line.delayMs)}</td>
              <td>${count(line.resources)}</td>
              <td>${count(line.fromCache)}</td>
              <td>${count(line.unknown)}</td>
              <td>${milliseconds(line.loadMs)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
