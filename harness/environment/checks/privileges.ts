import type { Check } from '../check.ts';

/** Whether devices can be created and the page cache dropped. */
export const privileges: Check = {
  id: 'privileges',
  why: 'Attaching slow storage and dropping the page cache need root.',
  async examine({ isRoot, privilege }) {
    if (isRoot) return { status: 'ok', what: 'Runs as root' };
    try {
      await privilege.run(['true']);
      return { status: 'ok', what: 'sudo asks for no password' };
    } catch {
      return {
        status: 'refused',
        what: 'No root, and sudo asks for a password',
        todo: 'Run it as root, or allow sudo without a password.',
      };
    }
  },
};
