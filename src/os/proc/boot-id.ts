// Which boot of the machine this is: after another one no recorded process is alive, and a pid may be anybody's.
import { readFileSync } from 'node:fs';

/** Another one after each boot. */
export const currentBoot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
