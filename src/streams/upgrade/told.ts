// How the log and the events tell of an upgrade.
import type { Handover } from './handover.ts';

/** `resumed`: why the old program goes on. */
export const upgradeText = ({ from, to }: Pick<Handover, 'from' | 'to'>, resumed?: string): string =>
  resumed === undefined
    ? `supervisor upgraded from sup ${from} to sup ${to}`
    : `ERR0503 sup ${to} failed while it took over (${resumed}): sup ${from} goes on`;
