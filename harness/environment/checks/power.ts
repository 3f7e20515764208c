import { join } from 'node:path';
import type { Check } from '../check.ts';

const supplies = '/sys/class/power_supply';

/** Power source: mains or battery (Linux Documentation/ABI/testing/sysfs-class-power). */
export const power: Check = {
  id: 'power',
  why: 'On battery the firmware slows the processor down, the more the emptier it is.',
  examine({ files }) {
    const names = files.names(supplies);
    if (names === null) return { status: 'unknown', what: 'The power source is unknown' };
    const read = (file: string) => names.map((name) => files.text(join(supplies, name, file)));
    if (read('status').includes('Discharging')) {
      return {
        status: 'warning',
        what: 'The machine runs on battery',
        todo: 'Plug it in.',
      };
    }
    if (read('type').includes('Battery'))
      return { status: 'ok', what: 'The battery is not discharging' };
    return { status: 'ok', what: 'The kernel reports no battery' };
  },
};
