import { chromiumVersion } from '../environment/chromium.ts';
import { CachescopeError } from '../error.ts';

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
