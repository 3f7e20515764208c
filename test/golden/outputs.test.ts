import { expect, test, vi } from 'vitest';
import { closingLine } from '../../harness/results/status.ts';
import { writeResults } from '../../harness/results/write-results.ts';
import { builtReports } from './built-reports.ts';
import { htmlText } from './html-text.ts';
import { runs } from './runs.ts';

// Every output of every experiment, byte for byte, from small generated runs. To write the golden files again:
// node scripts/start.mjs vitest run --project unit test/golden --update

// There is no browser here: the theme reads matchMedia when it is imported, and no chart is drawn.
vi.stubGlobal('matchMedia', () => new EventTarget());
// Not checked with the types of Node: the panel has those of a browser.
const panel = '../../extension/panel/run/experiment-view.ts';
const { experimentView } = (await import(panel)) as {
  experimentView: (document: object, tools: object) => unknown;
};

/** The run that a report holds is an input of the test. */
const built = builtReports();

test.each(Object.entries(runs))(
  'the outputs of %s are those of its golden file',
  async (name, made) => {
    const document = made();
    const files: [name: string, content: string][] = [];
    const directory = {
      path: 'results/RUN',
      write: async (file: string, content: string | Uint8Array) => {
        if (!file.endsWith('.html')) files.push([file, content as string]);
        return `results/RUN/${file}`;
      },
    };
    const tools = { extensionDirectory: built.path, chromiumPath: null };
    const { text, warnings, report, status } = await writeResults(directory, document, tools);
    const screen = `${text}${closingLine(warnings, report)}\n`;
    checkScreen(screen);
    const view = experimentView(document, { isDark: false, commands: {} });
    const outputs = [
      ['stdout', screen],
      ['stderr', `${status.join('\n')}\n`],
      ...files.map(([file, content]) => [file, file.endsWith('.json') ? brief(content) : content]),
      ['report.html', htmlText(view)],
    ];
    for (const [file, content] of files) if (file.endsWith('.csv')) checkCsv(file, content);
    const golden = outputs.map(([title, content]) => `=== ${title}\n${visible(content ?? '')}`);
    await expect(golden.join('')).toMatchFileSnapshot(`${name}.golden.txt`);
  },
);

/** What every screen promises. */
function checkScreen(text: string): void {
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(lines.filter(({ length }) => length > 80)).toEqual([]);
  expect(text).not.toMatch(/undefined|NaN|null|\n\n\n/);
}

/** One rule for every CSV file but the classic one, whose names are those of its source. */
function checkCsv(file: string, content: string): void {
  expect(content, file).not.toContain('\r');
  if (file.startsWith('cdt-perf-results-')) return;
  const names = content.split('\n', 1).join().split(',');
  expect(new Set(names).size, file).toBe(names.length);
  const [units, words] = ['ms|bytes|share', '[a-z0-9]+(?:_[a-z0-9]+)*'];
  for (const name of names) {
    expect(name, file).toMatch(new RegExp(`^${words}$`));
    // The unit is the last part: median_low_ms, not median_ms_low.
    expect(name, file).not.toMatch(new RegExp(`_(?:${units})_(?:low|high|median|mean|p\\d+|max)$`));
  }
}

/** JSON with a line for each field, and for each element of a list in it. */
function brief(json: string): string {
  const fields = Object.entries(JSON.parse(json) as object).map(
    ([field, value]: [string, unknown]) => {
      const lines = Array.isArray(value) ? value.map((each) => `\n  ${JSON.stringify(each)}`) : [];
      return `${field}: ${lines.length > 0 ? lines.join('') : JSON.stringify(value)}\n`;
    },
  );
  return fields.join('');
}

/** Snapshots have one form of line end: a carriage return is shown. */
function visible(content: string): string {
  return content.replaceAll('\r', String.raw`\r`);
}
