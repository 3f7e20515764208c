import type { Check } from '../check.ts';

/** From this version on dm-delay keeps delays below 50 ms with a thread (Linux commit 70bbeb29fab0). */
const precise = [6, 7] as const;

/** The kernel's version, and what it means for dm-delay. */
export const kernel: Check = {
  id: 'kernel',
  why: 'Kernels before 6.7 count the delays of dm-delay in ticks of their clock, up to 10 ms each, so they come out longer.',
  examine({ files, storage }) {
    const release = files.text('/proc/sys/kernel/osrelease');
    const [, major, minor] = /^(\d+)\.(\d+)/.exec(release ?? '') ?? [];
    if (release === null || major === undefined)
      return { status: 'unknown', what: 'The kernel is unknown' };
    const isPrecise =
      Number(major) > precise[0] || (Number(major) === precise[0] && Number(minor) >= precise[1]);
    if (isPrecise || storage === 'nbd-delay' || storage === 'none')
      return { status: 'ok', what: `Linux ${release}` };
    return {
      status: 'note',
      what: `Linux ${release} rounds the delays of dm-delay up to ticks`,
      todo: 'Go by the measured delay, not the requested one.',
    };
  },
};
