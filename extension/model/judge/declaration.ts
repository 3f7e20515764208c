import { declared } from '../page/declared.ts';
import type { Page } from '../page/page.ts';
import { type Column, type Form, tableOf } from '../page/table.ts';
import { counted } from '../quantity.ts';
import { safetyRules, witnessNames } from './play.ts';
import { changeChart, storingTables } from '../storing/declaration.ts';
import { costHeadline } from './cost.ts';
import { type JudgeRunDocument, savedJudge } from './run.ts';
import type { SituationRow } from './situation-row.ts';
import {
  countsOf,
  type JudgeSummary,
  type OutcomeCounts,
  type SafetyRow,
  summarizeJudge,
} from './summary.ts';

/** Whether a change of a browser's cache shows bytes or freshness that pages did not see before. */
export const judge = declared(savedJudge, { summarize: summarizeJudge, page });

function page({ run }: JudgeRunDocument, summary: JudgeSummary): Page {
  const { variants, rounds, seed } = run.plan;
  const [against = '', of = ''] = variants.map(({ name }) => name);
  const { rows, safety, finding, verdict, cost } = summary;
  const { cost: costPlan } = run.plan;
  const isPlayed = rows.length > 0;
  const topics = [...Map.groupBy(rows, ({ topic }) => topic)].map(([topic, own]) => ({
    topic,
    situations: own.length,
    ...countsOf(own),
  }));
  const notable = rows.filter(isNotable).toSorted(brokenFirst);
  return {
    title: 'Verdict on a change of the cache',
    facts: [
      `${of} against ${against}`,
      ...(isPlayed ? [counted(rows.length, 'situation'), `${rounds} times on each side`] : []),
      ...(costPlan ? [`cost in ${costPlan.launches} launches of each`] : []),
      run.environment.chromium.version,
    ],
    headline: [
      ...(isPlayed ? [`${verdict}: ${headlines[verdict](summary, of)}`] : []),
      ...(cost ? [costHeadline(cost, of)] : []),
    ].join(' '),
    ...(cost && costPlan && { charts: changeChart(costPlan, cost.rows) }),
    finding,
    sections: [
      ...(cost && costPlan
        ? [{ title: 'Cost', tables: storingTables(costPlan, cost.rows, 'cost.csv') }]
        : []),
      {
        tables: !isPlayed
          ? []
          : [
              tableOf({
                columns: safetyColumns(against, of),
                rows: safety,
                group: () => ({
                  title: 'Safety rules',
                  caption: 'Situations in which a rule was broken.',
                }),
                file: 'safety.csv',
              }),
              tableOf({
                columns: situationColumns(against, of),
                rows: (form: Form) => (form === 'csv' ? rows : notable),
                group: () => ({
                  title: 'Situations that are not the same',
                  caption:
                    'Of each side: the page’s reads; their sources by Resource Timing; the origin’s requests.',
                }),
                file: 'situations.csv',
              }),
              tableOf({
                columns: topicColumns,
                rows: topics,
                group: () => ({ title: 'Situations by topic' }),
                in: ['html', 'report'],
              }),
            ],
      },
    ],
    conditions: [['Seed', `${seed}`]],
    closing: reproduction(run.commandLine, notable),
  };
}

const headlines: Record<JudgeSummary['verdict'], (summary: JudgeSummary, of: string) => string> = {
  BROKEN: ({ safety }, of) => {
    const broken = safety.filter(({ candidateOnly }) => candidateOnly.length > 0);
    return `${of} breaks ${counted(broken.length, 'safety rule')}: ${broken.map(({ rule }) => safetyRules[rule]).join('; ')}.`;
  },
  DIFFERENT: ({ counts }, of) =>
    `${of} breaks no further safety rule, and differs in ${counted(counts.different, 'situation')}.`,
  SAME: ({ counts }) => `no difference in ${counted(counts.same, 'situation')}.`,
  'NO VERDICT': ({ withheld }) => `${withheld}.`,
  'NOT JUDGED': () => 'conformance is no part of this run.',
};

function isNotable({ outcome, brokenByBaseline, brokenByCandidate }: SituationRow): boolean {
  return outcome !== 'same' || brokenByBaseline.length + brokenByCandidate.length > 0;
}

function safetyColumns(against: string, of: string): Column<SafetyRow>[] {
  return [
    {
      key: 'rule',
      title: 'Rule',
      value: ({ rule }) => rule,
      text: ({ rule }) => safetyRules[rule],
      kind: 'name',
    },
    { key: 'baseline_count', title: against, value: ({ baseline }) => baseline.length },
    { key: 'candidate_count', title: of, value: ({ candidate }) => candidate.length },
    {
      key: 'candidate_only_count',
      title: `only ${of}`,
      value: ({ candidateOnly }) => candidateOnly.length,
    },
  ];
}

function situationColumns(against: string, of: string): Column<SituationRow>[] {
  return [
    { key: 'situation', title: 'Situation', value: ({ situation }) => situation, kind: 'name' },
    { key: 'topic', value: ({ topic }) => topic, in: ['csv'] },
    {
      key: 'outcome',
      title: 'Outcome',
      value: ({ outcome }) => outcome,
      text: outcomeText,
      kind: 'word',
    },
    { key: 'differs_by', title: 'Differs by', value: differsBy, kind: 'word' },
    {
      key: 'broken_by_baseline',
      value: ({ brokenByBaseline }) => brokenByBaseline.join(' '),
      in: ['csv'],
    },
    {
      key: 'broken_by_candidate',
      value: ({ brokenByCandidate }) => brokenByCandidate.join(' '),
      in: ['csv'],
    },
    {
      key: 'baseline',
      title: against,
      value: ({ baseline }) => baseline,
      kind: 'word',
      in: ['html', 'csv'],
    },
    {
      key: 'candidate',
      title: of,
      value: ({ candidate }) => candidate,
      kind: 'word',
      in: ['html', 'csv'],
    },
    { key: 'baseline_plays', value: ({ plays }) => plays[0], in: ['csv'] },
    { key: 'candidate_plays', value: ({ plays }) => plays[1], in: ['csv'] },
  ];
}

/** A safety rule that a side broke says more than the outcome. */
function outcomeText({ outcome, brokenNow, brokenByBaseline, brokenByCandidate }: SituationRow) {
  if (brokenNow.length > 0) return 'BROKEN';
  if (brokenByCandidate.length > 0) return 'both break a rule';
  return brokenByBaseline.length > 0 ? 'mends a rule' : outcome;
}

function differsBy({ differsBy: names }: SituationRow): string {
  return names.map((name) => witnessNames[name]).join(', ');
}

const topicColumns: Column<{ topic: string; situations: number } & OutcomeCounts>[] = [
  { key: 'topic', title: 'Topic', value: ({ topic }) => topic, kind: 'name' },
  { key: 'situations', title: 'Situations', value: ({ situations }) => situations },
  { key: 'same', title: 'Same', value: ({ same }) => same },
  { key: 'different', title: 'Different', value: ({ different }) => different },
  { key: 'unsteady', title: 'Unsteady', value: ({ unsteady }) => unsteady },
  { key: 'not_played', title: 'Not played', value: (row) => row['not played'] },
];

function brokenFirst(one: SituationRow, other: SituationRow): number {
  return other.brokenNow.length - one.brokenNow.length;
}

/** The command that plays one situation again: the worst. */
function reproduction(
  [name = '', ...words]: readonly string[],
  notable: readonly SituationRow[],
): string[] {
  const [first] = notable;
  const place = words.indexOf('--out');
  const own = words.filter((_, at) => place < 0 || (at !== place && at !== place + 1));
  if (!first || words.some((word) => /^--(resume|situations)/.test(word))) return [];
  const command = [name, '--', ...own, '--situations', first.situation].map(quoted).join(' ');
  return [`One situation again: npm run ${command}`];
}

/** A word of a shell's command. */
function quoted(word: string): string {
  return /^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
