import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { kernelText } from '../../kernel-text.ts';

const name = z.string().check(z.maxLength(256));

/**
 * The system on which a journal's processes, mounts and devices are: a home directory may be shared with other machines
 * and with containers. '' for what the system does not say.
 */
export const machineSchema = z.object({
  hostName: name,
  /** Random number of this start of the kernel (random(4), boot_id). */
  bootId: name,
  /** Namespace of the process numbers (pid_namespaces(7)). */
  pidNamespace: name,
});
export type JournalMachine = z.infer<typeof machineSchema>;

export function thisMachine(): JournalMachine {
  return {
    hostName: hostname(),
    bootId: kernelText('/proc/sys/kernel/random/boot_id').trim(),
    pidNamespace: pidNamespace(),
  };
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/**
 * Whether this system sees the processes and devices of a journal. After a restart it sees that they are gone; without
 * /proc it sees none. A journal without a machine is of an older version, which knew only one.
 */
export function isHere(machine: JournalMachine | undefined, here = thisMachine()): boolean {
  if (here.bootId === '') return false;
  if (!machine) return true;
  if (machine.bootId === here.bootId) return machine.pidNamespace === here.pidNamespace;
  return machine.hostName === here.hostName;
}
