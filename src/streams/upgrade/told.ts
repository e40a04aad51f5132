// How the log, the events and the warnings of `status` tell of an upgrade.
import type { Handover } from './handover.ts';

/** `resumed`: why the old program goes on. */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;

/** Warned of for as long as a copy of the program is at work. `script`: its path. */
export const copyText = (script: string): string =>
  `an upgrade failed, and the supervisor runs from a copy of its program (${script}): sup upgrade, once one that works is installed`;
