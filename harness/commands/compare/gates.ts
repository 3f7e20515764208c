import { appendFileSync } from 'node:fs';
import {
  cellsThat,
  type GatedComparison,
  type GateOutcome,
  outcomesText,
} from '@cachescope/model/compare/gated.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import { markdownTable, markdownText } from '@cachescope/model/markdown.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { writeOutput } from '../../results/output-file.ts';
import { wrap } from '../../results/wrap.ts';
import { say, sayWorkflowCommand } from '../../terminal.ts';
import { junitXml } from './junit.ts';
import type { CompareOptions } from './options.ts';

const width = 80;

/** The gates on stdout: a line each, and every cell that did not pass; 80 columns. */
export function gatesText(gates: readonly GatedComparison[]): string {
  const lines = gates.flatMap((gate) => [
    `Gate ${gate.gate.text}: ${outcomesText(gate)}.`,
    ...(['failed', 'unknown'] as const).flatMap((outcome) =>
      cellsThat(outcome, gate).map(({ place, sentence }) =>
        wrap(`${outcome.toUpperCase()} ${place}: ${sentence}`, width - 2).replaceAll(/^/gm, '  '),
      ),
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

/**
 * Reports the gates to other tools: the JUnit file; in a GitHub workflow the annotations and the step summary. A file
 * that cannot be written does not hide the verdict: the exit code is 1 only where the gates pass.
 */
export function reportGates(
  gates: readonly GatedComparison[],
  run: ComparisonRun,
  { junit, gateUnknown }: Pick<CompareOptions, 'junit' | 'gateUnknown'>,
): void {
  if (gates.length === 0) return;
  if (junit !== undefined)
    attempt(junit, () => writeOutput(junit, junitXml(gates, run, gateUnknown)));
  // docs.github.com: "Store information in variables", "Workflow commands".
  const { GITHUB_ACTIONS: isWorkflow, GITHUB_STEP_SUMMARY: summaryFile } = process.env;
  if (isWorkflow === 'true') annotations(gates).forEach(sayWorkflowCommand);
  if (summaryFile)
    attempt(summaryFile, () => appendFileSync(summaryFile, gatesSummary(gates, run)));
}

function attempt(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    say(`CS_SYSTEM: the gates could not be written to ${path}: ${messageOf(error)}`);
    process.exitCode ||= 1;
  }
}

/** @throws CachescopeError CS_GATE, exit code 10; CS_GATE_UNKNOWN, exit code 11 */
export function requirePassed(
  gates: readonly GatedComparison[],
  unknown: CompareOptions['gateUnknown'],
): void {
  const broken = (outcome: GateOutcome): string =>
    gates
      .filter(({ outcomes }) => outcomes[outcome] > 0)
      .map((gate) => `${gate.gate.text} ${outcomesText(gate)}`)
      .join('; ');
  if (broken('failed') !== '') throw new CachescopeError('CS_GATE', broken('failed'));
  if (unknown === 'fail' && broken('unknown') !== '') {
    throw new CachescopeError('CS_GATE_UNKNOWN', broken('unknown'), {
      hint: 'Measure with more launches: an interval that includes the limit decides nothing.',
    });
  }
}

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
