import { type ComparableGroup, factorsText } from '@cachescope/model/compare/group.ts';
import { levelName } from '@cachescope/model/compare/names.ts';
import { comparableOf } from '@cachescope/model/compare/runs.ts';
import { type CompareSide, sideOf } from '@cachescope/model/compare/side.ts';
import { compareSides } from '@cachescope/model/compare/build.ts';
import type { ComparisonDocument } from '@cachescope/model/compare/run.ts';
import type { Parsed } from '@cachescope/model/parsed.ts';
import { isRunOf, type RunDocument } from '@cachescope/model/run/run.ts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { outlinedButton } from '../buttons.ts';
import { comparisonBody } from '../experiments/comparison/view.ts';
import { openRun } from '../loads/open-files.ts';

/** Compares groups of the displayed run with each other, or the run with another one that the user opens. */
class RunCompare extends LitElement {
  static override properties = {
    document: { attribute: false },
    isDark: { attribute: false },
    other: { state: true },
    problems: { state: true },
    against: { state: true },
    of: { state: true },
  };

  declare document: RunDocument | undefined;
  declare isDark: boolean;
  declare other: { name: string; document: RunDocument } | undefined;
  declare problems: readonly string[];
  /** Chosen groups of the displayed run, by their factors; empty: none yet. */
  declare against: string;
  declare of: string;
  #made: { key: readonly unknown[]; found: Parsed<ComparisonDocument> } | undefined;

  constructor() {
    super();
    this.problems = [];
    this.against = '';
    this.of = '';
  }

  /** Renders into the page without a shadow root, so that its styles apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { document, other, problems } = this;
    if (!document || !comparableOf(document)) return nothing;
    const side = sideOf('This run', { run: document }, {}, undefined);
    if ('problems' in side) return nothing;
    return html`<details class="compare">
      <summary><h2>Compare</h2></summary>
      <div class="compare-choice">
        ${other ? this.#otherRun(other.name) : this.#choices(side.value)}
        <label class="text-button outlined"
          >${other ? 'Open another run…' : 'With another run…'}
          <input
            type="file"
            class="unseen"
            multiple
            accept=".json,.ndjson"
            @change=${(event: Event) => void this.#open(event)}
          />
        </label>
      </div>
      ${problems.map((problem) => html`<p class="off" role="alert">${problem}</p>`)}
      ${this.#result(document, side.value.groups)}
    </details>`;
  }

  #otherRun(name: string): TemplateResult {
    return html`<span>A is this run, B is ${name}.</span>
      ${outlinedButton('Groups of this run instead', () => (this.other = undefined))}`;
  }

  #choices({ groups }: CompareSide): TemplateResult {
    const select = (label: string, chosen: string, choose: (name: string) => void) =>
      html`<label
        >${label}
        <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
          ${groups.map((group) => {
            const name = factorsText(group.factors);
            return html`<option value=${name} ?selected=${name === chosen}>
              ${groupText(group)}
            </option>`;
          })}
        </select>
      </label>`;
    const [against, of] = this.#chosen(groups);
    return html`${select('A, the baseline', name(against), (chosen) => (this.against = chosen))}
    ${select('B', name(of), (chosen) => (this.of = chosen))}`;
  }

  /** Until the user chooses, the last two groups; in a sweep these are two arms at the longest delay. */
  #chosen(
    groups: readonly ComparableGroup[],
  ): [against: ComparableGroup | undefined, of: ComparableGroup | undefined] {
    const named = (chosen: string, place: number) =>
      groups.find((group) => name(group) === chosen) ?? groups.at(place);
    return [named(this.against, -2), named(this.of, -1)];
  }

  #result(
    document: RunDocument,
    groups: readonly ComparableGroup[],
  ): TemplateResult | typeof nothing {
    const [against, of] = this.#chosen(groups);
    if (!this.other && (!against || !of || against === of))
      return html`<p class="hint">Choose two different groups.</p>`;
    const key = [document, this.other, name(against), name(of)];
    if (!this.#made || this.#made.key.some((each, at) => each !== key[at])) {
      this.#made = { key, found: this.#compared(document, against, of) };
    }
    const { found } = this.#made;
    if ('problems' in found)
      return html`${found.problems.map((problem) => html`<p class="off" role="alert">${problem}</p>`)}`;
    return comparisonBody(
      found.value,
      this.isDark,
      (title) => html`<h3>${title}</h3>`,
      variantsOf(document),
    );
  }

  #compared(
    document: RunDocument,
    against: ComparableGroup | undefined,
    of: ComparableGroup | undefined,
  ): Parsed<ComparisonDocument> {
    const { other } = this;
    const side = (title: string, run: RunDocument, group?: ComparableGroup) =>
      sideOf(title, { run }, group?.factors ?? {}, undefined);
    const first = side('This run', document, other ? undefined : against);
    const second = other ? side(other.name, other.document) : side('This run', document, of);
    if ('problems' in first) return first;
    if ('problems' in second) return second;
    const { tool, startedAt, environment } = document.run;
    const head = { tool, startedAt, environment, commandLine: [] };
    return compareSides(first.value, second.value, { isOneRun: !other }, head);
  }

  async #open(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length === 0) return;
    const opened = await openRun(files);
    if ('problems' in opened) return void (this.problems = opened.problems);
    this.problems = [];
    this.other = { name: files.map((file) => file.name).join(', '), document: opened.value };
  }
}

function name(group: ComparableGroup | undefined): string {
  return group ? factorsText(group.factors) : '';
}

/** The variants of a sweep with one arm: its charts distinguish them by colour. */
function variantsOf(document: RunDocument): string[] {
  if (!isRunOf('sweep', document)) return [];
  const { arms, variants = [] } = document.run.plan;
  return arms.length === 1 ? variants.map((variant) => variant.name) : [];
}

function groupText({ factors }: ComparableGroup): string {
  return Object.values(factors).map(levelName).join(', ');
}

customElements.define('run-compare', RunCompare);

/** The comparison section of a run's page. */
export function runCompare(document: RunDocument, isDark: boolean): TemplateResult {
  return html`<run-compare .document=${document} .isDark=${isDark}></run-compare>`;
}
