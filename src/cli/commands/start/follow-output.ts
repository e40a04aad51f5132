// The output of an attached start: `service | line`, from the moment of the start on.
import { logsCommand } from '../logs/print-logs.ts';
import type { Follow } from './attach.ts';
import type { Context } from '../../context.ts';

/** Enough to lose nothing of what was printed since. */
const ALL_LINES = 1_000_000;

export const followOutput =
  ({ world, dataDir, colorOn }: Context, since: Date): Follow =>
  (services, signal) =>
    logsCommand(
      { services, follow: true, lines: ALL_LINES, since: since.toISOString(), json: false, prefix: true },
      { write: world.stdout.write, color: colorOn(world.stdout) },
      { dataDir, signal },
    );
