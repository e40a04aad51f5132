// Texts about an upgrade, for the log, the events and the warnings of `status`.
import type { Handover } from './handover.ts';

/** Returns the text; `resumed` is why the old program continues. */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;

/** Returns the warning shown while a copy of the program runs. `script` is its path. */
export const copyText = (script: string): string =>
  `an upgrade failed, and the supervisor runs from a copy of its program (${script}): sup upgrade, once one that works is installed`;
