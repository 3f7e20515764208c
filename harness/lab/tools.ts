import type { Tools } from '../experiments/experiment.ts';
import { findChromium } from '../browser/find.ts';
import { requireChromium } from '../environment/chromium.ts';
import { missingForBrowser } from '../environment/setup/missing.mjs';
import { createPrivilege } from '../privilege.ts';
import type { SharedValues } from '../options/option-table.ts';
import { say } from '../terminal.ts';

/** The tools with which an experiment finds its inputs, from the command line's options. */
export function toolsFor({ dryRun, browser }: Pick<SharedValues, 'dryRun' | 'browser'>): Tools {
  const privilege = createPrivilege({ dryRun, say });
  return {
    privilege,
    say,
    requireChromium: async () => (await requireChromium(browser, privilege, say)).path,
    findChromium: async () => (await findChromium(browser))?.path ?? '',
    missingForBrowser: () => (browser === undefined ? missingForBrowser() : []),
  };
}
