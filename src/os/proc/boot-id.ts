// Identifies a boot of the machine. After another boot no recorded process is alive, and its pid may belong
// to another one.
import { readFileSync } from 'node:fs';

/** The boot id, which is new after each boot. */
export const currentBoot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
