import type { GatedCell, GatedComparison } from '@cachescope/model/compare/gated.ts';
import type { ComparisonRun } from '@cachescope/model/compare/run.ts';
import { printable } from '@cachescope/model/printable.ts';
import type { CompareOptions } from './options.ts';

/**
 * The gates as JUnit XML, in the form that Jenkins, GitLab and GitHub's actions read: a suite for each gate, a case for
 * each cell. An undecided cell is skipped, or an error if `unknown` is `fail`.
 */
export function junitXml(
  gates: readonly GatedComparison[],
  { plan, startedAt }: ComparisonRun,
  unknown: CompareOptions['gateUnknown'],
): string {
  const suites = gates.map(({ gate, metric, cells, outcomes }) => {
    const undecided = `errors="${unknown === 'fail' ? outcomes.unknown : 0}" skipped="${unknown === 'fail' ? 0 : outcomes.unknown}"`;
    const counts = `tests="${cells.length}" failures="${outcomes.failed}" ${undecided}`;
    const properties = [
      ['metric', metric],
      ['A', `${plan.against.name}: ${plan.against.source}`],
      ['B', `${plan.of.name}: ${plan.of.source}`],
    ].map(([name = '', value = '']) => `      <property name="${name}" value="${xml(value)}"/>\n`);
    const cases = cells.map((cell) => caseOf(cell, gate.text, unknown));
    const name = xml(`gate ${gate.text}`);
    return `  <testsuite name="${name}" ${counts} timestamp="${xml(startedAt.slice(0, 19))}">
    <properties>
${properties.join('')}    </properties>
${cases.join('')}  </testsuite>
`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

function caseOf(
  { place, outcome, sentence }: GatedCell,
  gate: string,
  unknown: CompareOptions['gateUnknown'],
): string {
  const element = { passed: 'system-out', failed: 'failure', unknown: 'skipped' }[outcome];
  const told = outcome === 'unknown' && unknown === 'fail' ? 'error' : element;
  const body =
    told === 'system-out'
      ? `<system-out>${xml(sentence)}</system-out>`
      : `<${told} message="${xml(sentence)}"/>`;
  return `    <testcase classname="${xml(`cachescope.${gate}`)}" name="${xml(place)}">${body}</testcase>\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Text that XML 1.0 allows (section 2.2), in an element or an attribute: one line. */
function xml(text: string): string {
  return printable(text.toWellFormed())
    .replaceAll(/[\uFFFE\uFFFF]/g, '?')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '?');
}
