import {
  type FillPlan,
  type FillSuite,
  type FillSystem,
  fillSystems,
  kindOf,
} from '@cachescope/model/fill/plan.ts';
import { type FillQuestionName, fillQuestions } from '@cachescope/model/fill/question.ts';
import { kernelText } from '../../kernel-text.ts';
import { commaSeparated } from '../../options/name-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import { integerFrom, type Problems, readInteger } from '../../options/option-reading.ts';
import { commandOptions } from '../../options/option-table.ts';
import { requireUsed } from '../../options/unused-options.ts';
import { featuresOption } from '../../options/features-reading.ts';
import { linkOption } from '../../options/link-option.ts';
import { headful, storageOption } from '../../options/shared-options.ts';

/** The parsed options of `fill`. */
export type FillAsked = ReturnType<typeof fillOptions.read>['asked'];

/** Chunks per second that a slow origin sends. */
const chunkHz = 10;
const mostWorkers = 10_000;

type Groups<Name extends string> = Readonly<Record<string, readonly Name[]>>;

/** Names of groups of systems. */
const systemGroups: Groups<FillSystem> = {
  nginx: fillSystems.filter((system) => kindOf(system) === 'nginx'),
  edge: fillSystems.filter((system) => kindOf(system) === 'edge'),
  browser: fillSystems.filter((system) => kindOf(system) === 'browser'),
};
const questionGroups: Groups<FillQuestionName> = { all: fillQuestions, none: [] };

/** Parses names, and names of groups of them, that are separated by commas. */
function namesFrom<Name extends string>(groups: Groups<Name>, names: readonly Name[]) {
  const known = new Map<string, readonly Name[]>([
    ...Object.entries(groups),
    ...names.map((name) => [name, [name]] as const),
  ]);
  return (text: string, flag: string, problems: Problems): Name[] => {
    const typed = commaSeparated(text);
    const unknown = typed.filter((name) => !known.has(name));
    if (unknown.length > 0) {
      const said = unknown.map((name) => JSON.stringify(name)).join(', ');
      problems.push(`${flag} names ${said}; known are ${[...known.keys()].join(', ')}`);
    }
    return typed.flatMap((name) => known.get(name) ?? []);
  };
}

/** The named systems, or all. Systems that need a patched nginx are included only with one. */
function systemsWith(
  named: FillSystem[] | undefined,
  hasNginx: boolean,
  problems: Problems,
): FillSystem[] {
  const systems = named
    ? [...new Set(named)]
    : fillSystems.filter((each) => hasNginx || !needsPatch(each));
  const wanting = hasNginx ? [] : systems.filter(needsPatch);
  if (wanting.length > 0)
    problems.push(
      `--systems names ${wanting.join(', ')}, which need a patched binary: --nginx PATH`,
    );
  return systems;
}

function needsPatch(system: FillSystem): boolean {
  return kindOf(system) === 'patched nginx';
}

const readFileTime = quantity({ kind: 'time', from: '1ms', to: '10m' });

function readSuites(text: string, flag: string, problems: Problems): FillSuite[] {
  const names = commaSeparated(text);
  const suites = names.flatMap((name): FillSuite[] => {
    if (name === 'full') return [{ name, fileMs: 0 }];
    const fileMs = readFileTime(name, `${flag}: full, or the time of a file,`, problems);
    return [{ name, fileMs }];
  });
  if (new Set(names).size < names.length) problems.push(`${flag} ${text} names a suite twice`);
  return suites;
}

function readWorkers(text: string, flag: string, problems: Problems): number {
  const workers = readInteger(flag, text, 1, mostWorkers, problems);
  // Node has raised its soft limit to the hard limit.
  const limits = kernelText('/proc/self/limits');
  const [, most] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? [];
  // Both ends of a reader's connection are in this process, and so are those of the connection that a cache opens for
  // it.
  const needed = 4 * workers + 256;
  if (most !== undefined && needed > Number(most))
    problems.push(
      `${flag} ${workers} needs ${needed} open files; the limit of this process is ${most}; raise it with: ulimit -n ${needed}`,
    );
  return workers;
}

/** The options of `fill`. The defaults are those of the nginx tempfiles benchmark. */
export const fillOptions = commandOptions(
  {
    systems: {
      value: '<list>',
      description: 'systems under test (default: all that can run here)',
      read: namesFrom(systemGroups, fillSystems),
    },
    suites: {
      value: '<list>',
      description: 'full (full speed), or the time in which the origin sends a file',
      default: 'full,1s,3s',
      read: readSuites,
    },
    time: {
      value: '<time>',
      description: 'trial duration, such as 30s; a number alone is in s',
      default: '30s',
      read: quantity({ kind: 'time', from: '1s', to: '1h', bare: 's' }),
    },
    workers: {
      value: '<n>',
      description: 'concurrent readers',
      default: '100',
      read: readWorkers,
    },
    size: {
      value: '<size>',
      description: 'size of a file',
      default: '30MiB',
      read: quantity({ kind: 'size', from: '1B', to: '1GiB' }),
    },
    rounds: {
      value: '<n>',
      description: 'trials of each system in each suite',
      default: '1',
      read: integerFrom(1, 100),
    },
    questions: {
      value: '<list>',
      description: `questions about Chromium’s cache: all, none, or some of ${fillQuestions.join(', ')}`,
      default: 'all',
      read: namesFrom(questionGroups, fillQuestions),
    },
    link: linkOption,
    features: featuresOption,
    nginx: {
      value: '<path>',
      description: 'an nginx with the tempfiles patch',
    },
    storage: storageOption('slow disk of a question: auto, dm-delay, nbd-live, nbd-delay, none'),
    headful,
  },
  (values, problems, typed) => {
    const { suites, time, workers, size, rounds, questions, seed, nginx } = values;
    const systems = systemsWith(values.systems, nginx !== undefined, problems);
    const hasBrowser = systems.some((system) => kindOf(system) === 'browser');
    const uses = [
      {
        options: ['questions', 'features', 'headful'],
        isUsed: hasBrowser,
        otherwise: 'only with the system browser',
      },
      {
        options: ['nginx'],
        isUsed: systems.some(needsPatch),
        otherwise: 'only with a system of a patched nginx',
      },
      {
        options: ['storage'],
        isUsed: hasBrowser && questions.includes('slow-disk'),
        otherwise: 'only for the question slow-disk',
      },
    ];
    requireUsed(typed, uses, problems);
    const plan: FillPlan = {
      systems,
      suites,
      workers,
      timeMs: time,
      fileBytes: size,
      chunkHz,
      rounds,
      questions: hasBrowser ? questions : [],
      seed,
      ...(values.features && { settings: values.features }),
      ...(values.link && { link: values.link }),
    };
    const { storage, headful } = values;
    return {
      plan,
      /** True when the user named the systems; otherwise the plan has all systems that can run. */
      namesSystems: values.systems !== undefined,
      /** Path of a patched nginx. */
      nginx,
      storage,
      headful,
    };
  },
);
