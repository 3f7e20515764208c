import { createHash } from 'node:crypto';
import { canonical, differencesOf } from '@cachescope/model/run/canonical.ts';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import * as z from 'zod/mini';
import { chromiumVersion } from '../environment/chromium.ts';
import { CachescopeError, messageOf } from '../error.ts';
import type { OptionTexts } from '../options/option-table.ts';
import { toolVersion } from '../version.ts';

/**
 * A plan that machines share: the options as typed, and the plan that follows from them. Every machine makes the plan
 * again, and compares.
 */
export const planFileSchema = z.object({
  kind: z.literal('cachescope plan'),
  /** Plan id, `-`, and 8 hexadecimal digits of a hash of all the following fields. */
  id: z.string(),
  plannedAt: z.string(),
  version: z.string(),
  /** The command: `sweep`. */
  command: z.string(),
  /** Options and arguments as typed, by their names in code, with the seed. */
  options: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())])),
  /** Version of the Chromium to measure; null: there was none where the plan was made. */
  chromium: z.nullable(z.string()),
  plan: z.record(z.string(), z.unknown()),
  /** SHA-256 of the other inputs on which the result depends. */
  beside: z.string(),
});
export type PlanFile = z.infer<typeof planFileSchema>;

/** The fields that identify a plan. */
export type PlanContent = Pick<PlanFile, 'version' | 'command' | 'plan' | 'beside'>;

const mostBytes = 16 * 1024 ** 2;

/**
 * Shared options for where and how a run is taken, not for what is measured: they are set on each machine. Some of them
 * start programs or write files, so a file that has one, which may come from anyone, is refused.
 */
export const machineOptions: ReadonlySet<string> = new Set([
  'browser',
  'env',
  'wait',
  'out',
  'json',
  'shard',
  'plan',
  'upload',
  'saveHar',
  'dryRun',
]);

/**
 * Options that can name a program to start or a host to contact: those of the file, which may come from anyone, count
 * only when they are typed too.
 */
export const trustedOptions: readonly string[] = ['variants', 'nginx', 'url', 'external', 'origin'];

/** Options of a plan that name programs or hosts, and that were not typed with it, a sentence each. */
export function untypedOptions({ options }: PlanFile, typed: OptionTexts): string[] {
  return trustedOptions
    .filter((name) => options[name] !== undefined && typed[name] === undefined)
    .map((name) => {
      const value = options[name];
      const text = value === true ? `--${name}` : `--${name} ${String(value)}`;
      return `the plan has ${text}, which can name programs to start or hosts to contact: type ${text} too`;
    });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The plan of a command as machines share it: plain JSON, so that it is identical after it was written and read. */
export function planContent(command: string, plan: object, beside: unknown): PlanContent {
  const json = JSON.parse(JSON.stringify(plan)) as PlanFile['plan'];
  return { version: toolVersion, command, plan: json, beside: sha256(canonical(beside ?? null)) };
}

/** Twelve hexadecimal digits that identify a plan. */
export function planIdOf({ version, command, plan, beside }: PlanContent): string {
  return sha256(canonical({ version, command, plan, beside })).slice(0, 12);
}

/** Plan id and a hash of the whole file, so that an edit by hand is detected. */
export function planFileIdOf(plan: PlanFile): string {
  const { id: _, ...file } = plan;
  return `${planIdOf(file)}-${sha256(canonical(file)).slice(0, 8)}`;
}

/**
 * Reads a plan.
 *
 * @throws CachescopeError CS_PLAN_INVALID for a file that is not a plan, belongs to another command, or was edited by
 * hand.
 */
export function readPlanFile(path: string, command: string): PlanFile {
  const problems: string[] = [];
  try {
    const json = parsedJson(path, readForeignText(path, { mostBytes }));
    const read = 'problems' in json ? json : checked(path, planFileSchema, json.value);
    if ('value' in read) {
      const { value } = read;
      if (value.id !== planFileIdOf(value))
        problems.push(
          `${path} was changed after it was written: its id does not match its content`,
        );
      else if (Object.keys(value.options).some((name) => machineOptions.has(name)))
        problems.push(`${path} has options that only a command line may have`);
      else if (value.command !== command)
        problems.push(`${path} is a plan of ${value.command}, not of ${command}`);
      if (problems.length === 0) return value;
    } else problems.push(...read.problems);
  } catch (error) {
    problems.push(messageOf(error));
  }
  throw new CachescopeError('CS_PLAN_INVALID', problems.join('\n  - '), {
    hint: `Write the plan again with npm run plan -- ${command} ... --out FILE; give every machine the same copy.`,
  });
}

/**
 * Refuses a run whose plan differs from the file.
 *
 * @throws CachescopeError CS_PLANS_DIFFER, exit code 3, with every field in which this machine's plan differs.
 */
export function requireSamePlan(file: PlanFile, made: PlanContent): void {
  if (planIdOf(file) === planIdOf(made)) return;
  const flat = ({ version, plan, beside }: PlanContent): Record<string, unknown> => ({
    'version of Cachescope': version,
    ...plan,
    'what the plan reads (SHA-256)': beside,
  });
  const [was, is] = [flat(file), flat(made)];
  const list = differencesOf(was, is).map(
    (name) =>
      `\n  - ${name}: ${JSON.stringify(was[name])} in the plan, ${JSON.stringify(is[name])} here`,
  );
  throw new CachescopeError(
    'CS_PLANS_DIFFER',
    `this machine would not measure what the plan says:${list.join('')}`,
    { hint: 'Give every machine the same files and storage, or name them when the plan is made.' },
  );
}

/**
 * Refuses a Chromium version other than the plan's, before anything is measured.
 *
 * @param wanted version in the plan; null: any.
 * @param path of the browser to measure; empty: none.
 * @throws CachescopeError CS_PLANS_DIFFER, exit code 3.
 */
export async function requireChromiumOfPlan(wanted: string | null, path: string): Promise<void> {
  if (wanted === null || path === '') return;
  const version = await chromiumVersion(path);
  if (version === wanted) return;
  throw new CachescopeError(
    'CS_PLANS_DIFFER',
    `the plan is for Chromium ${wanted}; ${path} is ${version ?? 'of unknown version'}`,
    {
      hint: 'Install the same Chromium on every machine, or name it with --browser PATH.',
    },
  );
}
