// Output of an attached start as `service | line`, from the moment of the start.
import { logsCommand } from '../logs/print-logs.ts';
import type { Follow } from './attach.ts';
import type { Context } from '../../context.ts';

/** Enough for everything printed since. */
const ALL_LINES = 1_000_000;

export const followOutput =
  ({ world, dataDir, colorOn }: Context, since: Date): Follow =>
  (services, signal) =>
    logsCommand(
      { services, follow: true, lines: ALL_LINES, since: since.toISOString(), json: false, prefix: true },
      { write: world.stdout.write, color: colorOn(world.stdout) },
      { dataDir, signal },
    );
