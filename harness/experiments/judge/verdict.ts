import { markdownTable, markdownText } from '@cachescope/model/markdown.ts';
import { headlineOf, type Page } from '@cachescope/model/page/page.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';

/** A page of a run in Markdown: the answer, the finding, the tables. */
export function verdictText(page: Page, trust: Trust, commandLine: readonly string[]): string {
  const tables = page.sections
    .flatMap((section) => section.tables ?? [])
    .flatMap((table) => table.shown('html'))
    .map(({ title, caption, head, rows }) => {
      const cells = rows.map((row) => row.map(({ text }) => text));
      const above = [`## ${markdownText(title)}`, ...(caption ? [markdownText(caption)] : [])];
      return [
        ...above,
        markdownTable(
          head.map((column) => column.title),
          cells,
        ),
      ].join('\n\n');
    });
  const command = `cachescope ${commandLine.join(' ')}`;
  return [
    `# ${markdownText(headlineOf(page, trust))}`,
    page.facts.map(markdownText).join(' · '),
    ...page.finding.map(markdownText),
    ...tables,
    `Command: ${markdownText(command)}`,
  ].join('\n\n');
}
