import type { Tools } from '../experiments/experiment.ts';
import { findChromium } from '../browser/find.ts';
import { requireChromium } from '../environment/chromium.ts';
import { createPrivilege } from '../privilege.ts';
import type { SharedValues } from '../options/option-table.ts';
import { say } from '../terminal.ts';

/** What an experiment finds its needs with, as the command line asks. */
export function toolsFor({ dryRun, browser }: Pick<SharedValues, 'dryRun' | 'browser'>): Tools {
  const privilege = createPrivilege({ dryRun, say });
  return {
    privilege,
    say,
    requireChromium: async () => (await requireChromium(browser, privilege, say)).path,
    findChromium: async () => (await findChromium(browser))?.path ?? '',
  };
}
