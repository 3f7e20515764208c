import { appendFileSync } from 'node:fs';
import {
  cellsThat,
  type GatedComparison,
  type GateOutcome,
  outcomesText,
} from '@cachescope/model/compare/gated.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import { CachescopeError } from '../../error.ts';
import { writeOutput } from '../../results/output-file.ts';
import { wrap } from '../../results/wrap.ts';
import { say } from '../../terminal.ts';
import { annotations, gatesSummary } from './github.ts';
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

/** Reports the gates to other tools: the JUnit file; in a GitHub workflow the annotations and the step summary. */
export function reportGates(
  gates: readonly GatedComparison[],
  run: ComparisonRun,
  { junit, gateUnknown }: Pick<CompareOptions, 'junit' | 'gateUnknown'>,
): void {
  if (gates.length === 0) return;
  if (junit !== undefined) writeOutput(junit, junitXml(gates, run, gateUnknown));
  // docs.github.com: "Store information in variables", "Workflow commands".
  const { GITHUB_ACTIONS: isWorkflow, GITHUB_STEP_SUMMARY: summaryFile } = process.env;
  if (isWorkflow === 'true') annotations(gates).forEach(say);
  if (summaryFile) appendFileSync(summaryFile, gatesSummary(gates, run));
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
      hint: 'The sentences above say how many more reads would probably settle it.',
    });
  }
}
