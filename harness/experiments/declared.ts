import type { DeclaredExperiment } from '@cachescope/model/page/declared.ts';
import type { Page } from '@cachescope/model/page/page.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { pageText } from '../results/page-text.ts';

/** What follows for the harness from the declaration of an experiment: how its runs are read, and its outputs. */
export function outputsOf<
  Document extends { run: RunBase },
  Item,
  Beside,
  Summary extends { trust: Trust },
>(experiment: DeclaredExperiment<Document, Item, Beside, Summary>) {
  // Files, screen and text are made of the same page.
  const pages = new WeakMap<Summary, Page>();
  const pageOf = (document: Document, summary: Summary): Page => {
    const page = pages.get(summary) ?? experiment.page(document, summary);
    pages.set(summary, page);
    return page;
  };
  return {
    saved: experiment,
    summarize: experiment.summarize,
    files(document: Document, summary: Summary): Record<string, string> {
      const page = pageOf(document, summary);
      const tables = page.sections.flatMap((section) => section.tables ?? []);
      const { link } = document.run.environment;
      const csv = tables.flatMap((table) => table.csv(link === undefined ? {} : { link }) ?? []);
      return {
        ...Object.fromEntries(csv.map(({ name, content }) => [name, content])),
        'report.txt': pageText(page, document.run, summary.trust),
      };
    },
    page: pageOf,
  };
}
