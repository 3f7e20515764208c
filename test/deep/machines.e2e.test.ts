import { expect, test } from 'vitest';
import { benchObstacle, tryRelease } from '../../scripts/machines/bench.ts';
import { stable, users } from '../../scripts/machines/release.ts';

const obstacle = await benchObstacle(console.warn);
if (obstacle !== null) console.warn(`The first command on new machines is not tested: ${obstacle}`);

// All releases: npm run test:machines
test.skipIf(obstacle !== null)(
  `the first command works on a new machine with Debian ${stable}, for every kind of user`,
  async () => {
    const trials = await tryRelease(stable, users, { say: console.warn });
    expect(trials.map(({ user }) => user)).toEqual(users);
    expect(trials.flatMap(({ problems }) => problems)).toEqual([]);
  },
);
