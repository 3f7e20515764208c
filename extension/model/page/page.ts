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
  /** Lines with a layout of their own, in the text only. */
  lines?: readonly string[];
  /** Folded in the page, in report.txt, and not on stdout. */
  isDetail?: boolean;
}

/**
 * Everything that people read of a run, in the order of reading. View, report, text and CSV files are drawn from it. A
 * section without content is not shown.
 */
export interface Page {
  title: string;
  /** Facts below the title: what was measured, how often, on what. */
  facts: readonly string[];
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
}
