import type { Check } from '../check.ts';

/** Chromium's sandbox, which needs user namespaces (user_namespaces(7)). */
export const sandbox: Check = {
  id: 'sandbox',
  why: 'Without its sandbox Chromium differs from the one in use, and pages are less confined.',
  examine({ files, isRoot }) {
    if (isRoot) {
      return {
        status: 'note',
        what: 'Chromium runs without its sandbox, because this program runs as root',
        todo: 'Run it as another user who may use sudo without a password.',
      };
    }
    const most = files.number('/proc/sys/user/max_user_namespaces');
    const isDenied =
      most === 0 ||
      files.number('/proc/sys/kernel/unprivileged_userns_clone') === 0 ||
      files.number('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === 1;
    if (isDenied) {
      return {
        status: 'warning',
        what: 'The kernel denies user namespaces to unprivileged programs',
        todo: "If Chromium does not start: install the distribution's Chromium, which has a profile or a helper for it.",
      };
    }
    if (most === null)
      return { status: 'unknown', what: 'The kernel reports no limit of namespaces' };
    return { status: 'ok', what: 'Chromium can use its sandbox' };
  },
};
