import { busyMachine } from '@cachescope/model/fixtures/busy-machine.ts';
import type { RunDocument } from '@cachescope/model/run/run.ts';
import { expect, test, vi } from 'vitest';
import { writeResults } from '../../harness/results/write-results.ts';
import { htmlText } from './html-text.ts';
import { builtReports } from './built-reports.ts';
import { runs } from './runs.ts';

// There is no browser here: the theme reads matchMedia when it is imported, and no chart is drawn.
vi.stubGlobal('matchMedia', () => new EventTarget());
const panel = '../../extension/panel/run/experiment-view.ts';
const { experimentView } = (await import(panel)) as {
  experimentView: (document: object, tools: object) => unknown;
};
const reports = builtReports();

/** The same run on a busy machine; of a comparison, one with such a run. */
function onBusyMachine(document: RunDocument): RunDocument {
  const { run } = document;
  const own = run.merged
    ? {
        merged: {
          shards: run.merged.shards.map((shard) => ({ ...shard, machineLoad: [busyMachine] })),
        },
      }
    : { machineLoad: [busyMachine] };
  if (run.experiment !== 'comparison')
    return { ...document, run: { ...run, ...own } } as RunDocument;
  const text = 'other programs used 95 % of the processors’ time';
  const reason = { aspect: 'othersShare', grade: 'poor', text } as const;
  const trust = {
    grade: 'poor' as const,
    reasons: [reason],
    inconclusive: 'the machine was busy',
  };
  const { plan } = run;
  return {
    ...document,
    run: { ...run, plan: { ...plan, of: { ...plan.of, trust } } },
  } as RunDocument;
}

/** Outputs by name. */
async function outputsOf(document: RunDocument): Promise<Map<string, string>> {
  const outputs = new Map<string, string>();
  const directory = {
    path: 'results/RUN',
    write: async (file: string, content: string | Uint8Array) => {
      if (!file.endsWith('.html')) outputs.set(file, content as string);
      return `results/RUN/${file}`;
    },
  };
  const tools = { extensionDirectory: reports.path, chromiumPath: null };
  const { text } = await writeResults(directory, document, tools);
  outputs.set('stdout', text);
  const view = experimentView(document, { isDark: false, commands: {} });
  return outputs.set('report', htmlText(view));
}

const inconclusive = 'Inconclusive: the machine was busy (';

/** What only a verdict says. */
const verdictWords =
  /\b(DIFFERENT|SAME)\b(?!": 0)|\b(slower|faster|greater|less|larger|smaller|higher|lower|later|earlier) (with its first byte )?than\b|\bthe same as\b|\b(Supported|Refuted): |\bfastest\b|shortest behind|departs from|reak-even delay/;

/** Questions and legends, which name verdicts and give none. */
const questions =
  /unknown whether .*? than |Whether .*? is unknown|> slower than .*? not known|is SAME|is no higher than before/gi;

/** `explore` has no verdicts; those of `judge` depend on no time. */
const others = new Set(['explore', 'judge']);

test.each(Object.entries(runs).filter(([name]) => !others.has(name)))(
  'no output of %s has a verdict when the machine was busy',
  async (_, made) => {
    const before = await outputsOf(made());
    // Otherwise the words are not those that this experiment uses.
    expect([...before.values()].join('\n')).toMatch(verdictWords);
    const outputs = await outputsOf(onBusyMachine(made()));
    for (const name of ['stdout', 'report', 'summary.json'])
      if (outputs.has(name))
        expect(outputs.get(name)?.replaceAll(/\s+/g, ' '), name).toContain(inconclusive);
    for (const [name, content] of outputs) {
      const said = content.replaceAll(/\s+/g, ' ').replaceAll(questions, '');
      const at = verdictWords.exec(said);
      expect(at && said.slice(Math.max(0, at.index - 200), at.index + 100), name).toBeNull();
    }
  },
);
