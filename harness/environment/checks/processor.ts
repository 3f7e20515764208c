import type { Check } from '../check.ts';

/** Names that emulated processors report: qemu without KVM, and user-mode Linux. */
const emulated = /QEMU TCG|User Mode Linux|\bUML\b/i;

/** Whether the processor is emulated. */
export const processor: Check = {
  id: 'processor',
  why: 'On an emulated processor absolute read times are wrong; in a virtual machine other guests disturb measurements.',
  examine({ files }) {
    const info = files.text('/proc/cpuinfo');
    if (info === null) return { status: 'unknown', what: 'The processor is unknown' };
    const named = /^model name\s*:\s*(.+)/m.exec(info) ?? /^vendor_id\s*:\s*(.+)/m.exec(info);
    const name = named?.[1] ?? 'unnamed processor';
    if (emulated.test(info)) {
      return {
        status: 'warning',
        what: `The CPU is emulated, slowly (${name})`,
        todo: 'Measure on real hardware; compare these times only with each other.',
      };
    }
    if (/^flags\s*:.*\bhypervisor\b/m.test(info))
      return { status: 'note', what: `A virtual machine on ${name}` };
    return { status: 'ok', what: name };
  },
};
