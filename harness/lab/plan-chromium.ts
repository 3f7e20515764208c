import { chromiumVersion } from '../environment/chromium-version.ts';
import { CachescopeError } from '../error.ts';

/**
 * Refuses another Chromium than the plan was made for, before anything is measured.
 *
 * @param wanted version in the plan; null: any.
 * @param path of the browser that is measured; empty: none is.
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
