import type { Trust } from '../run/trust.ts';
import type { Chart } from './chart.ts';
import type { Table } from './table.ts';

/** A term and what is said of it. */
export type Term = readonly [term: string, value: string];

/** Tables, sentences and terms under a title. */
export interface Section {
  /** Absent: each table has its own. */
  title?: string;
  tables?: readonly Table[];
  sentences?: readonly string[];
  terms?: readonly Term[];
  /** Lines with a layout of their own, on the screen and in report.txt only. */
  lines?: readonly string[];
  /** Folded in the page, in report.txt, and not on the screen. */
  isDetail?: boolean;
}

/**
 * Everything that people read of a run, in the order of reading. View, report, screen, text and CSV files are drawn from
 * it. A section without content is not shown.
 */
export interface Page {
  title: string;
  /** Facts below the title: what was measured, how often, on what. */
  facts: readonly string[];
  /**
   * The answer in one short sentence, without intervals and conditions. A run without verdicts shows the first sentence
   * of its finding in its place, and so does a page without it.
   */
  headline?: string;
  /** Sentences, the answer first. */
  finding: readonly string[];
  /** Warnings besides those of the run. */
  warnings?: readonly string[];
  charts?: readonly Chart[];
  sections: readonly Section[];
  /** Conditions of the experiment's own, after the sections. */
  conditions?: readonly Term[];
  /** How to read the tables of the text, whose columns have short titles. */
  notes?: readonly string[];
  /** Single lines at the end of the screen: a break-even, what would decide an open question. */
  closing?: readonly string[];
}

/** The answer of a page, for its first line. */
export function headlineOf(
  { headline, finding }: Pick<Page, 'headline' | 'finding'>,
  { inconclusive }: Trust,
): string {
  const [first = ''] = finding;
  return inconclusive === null ? (headline ?? first) : first;
}
