import { cellsThat, type GatedComparison, outcomesText } from '@cachescope/model/compare/gated.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import { markdownTable, markdownText } from '@cachescope/model/markdown.ts';

/** Workflow commands for GitHub: an error for each cell that failed, a warning for each undecided one. */
export function annotations(gates: readonly GatedComparison[]): string[] {
  return gates.flatMap((gate) =>
    (['failed', 'unknown'] as const).flatMap((outcome) =>
      cellsThat(outcome, gate).map(({ place, sentence }) => {
        const level = outcome === 'failed' ? 'error' : 'warning';
        return `::${level} title=${property(`Gate ${gate.gate.text}`)}::${data(`${place}: ${sentence}`)}`;
      }),
    ),
  );
}

/** Escapes text like actions/toolkit (packages/core/src/command.ts). */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The gates in Markdown, for the page of a workflow run. */
export function gatesSummary(gates: readonly GatedComparison[], { plan }: ComparisonRun): string {
  const parts = gates.map((gate) => {
    const rows = gate.cells.map(({ place, outcome, sentence }) => [place, outcome, sentence]);
    const title = `### Gate ${markdownText(gate.gate.text)}: ${outcomesText(gate)}`;
    return `${title}\n\n${markdownTable(['cell', 'outcome', 'verdict'], rows)}`;
  });
  const sides = [plan.against, plan.of].map(({ name, source }) =>
    markdownText(`${name}: ${source}`),
  );
  return `${[`A, the baseline, is ${sides[0]}. B is ${sides[1]}.`, ...parts].join('\n\n')}\n`;
}
