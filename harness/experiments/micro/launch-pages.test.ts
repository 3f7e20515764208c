import { expect, test, vi } from 'vitest';
import { CachescopeError } from '../../error.ts';
import { MicroBrowser } from './browser.ts';
import type { MicroProfile, MicroLab } from './lab.ts';
import { inLaunch } from './launch-pages.ts';

/** The parts of a lab that inLaunch uses. */
function madeUpLab(): MicroLab {
  const session = { shouldStop: () => false, warn: () => undefined, found: {} };
  return { session, plan: {}, launches: 0 } as never;
}

test('`before` runs before every attempt of a launch', async () => {
  const done: string[] = [];
  const browser = { close: () => Promise.resolve(void done.push('close')) };
  const launch = vi.spyOn(MicroBrowser, 'launch').mockImplementation(() => {
    done.push('launch');
    return Promise.resolve(browser as never);
  });
  let failures = 1;
  const job = () => {
    if (failures-- > 0) throw new CachescopeError('CS_BROWSER_GONE', 'the browser ended');
    done.push('cold read');
    return Promise.resolve();
  };
  const before = () => Promise.resolve(void done.push('drop'));
  await inLaunch(madeUpLab(), {} as MicroProfile, [job], { before });
  launch.mockRestore();
  expect(done).toEqual(['drop', 'launch', 'close', 'drop', 'launch', 'cold read', 'close']);
});
