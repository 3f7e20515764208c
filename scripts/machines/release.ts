/** Debian's releases that the test bench makes machines of: oldstable, stable, unstable. */
export const releases = ['bookworm', 'trixie', 'sid'] as const;
export type Release = (typeof releases)[number];

/** Debian's current stable release: the machine of `npm run test:deep`. */
export const stable: Release = 'trixie';

/** Who starts the first command: root, a user with passwordless sudo, a user on a machine without sudo. */
export const users = ['root', 'sudo', 'none'] as const;
export type User = (typeof users)[number];

/** For the table. */
export const userTitles: Readonly<Record<User, string>> = {
  root: 'root',
  sudo: 'user, passwordless sudo',
  none: 'user, no sudo',
};
