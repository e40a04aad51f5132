// Ends the commands that a dead supervisor ran for services, before the next one starts its own
// (`docs/behaviour.md`, "Commands on behalf of a service").
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "When the supervisor dies".
import { defaultIfEmpty, forkJoin, lastValueFrom, map } from 'rxjs';
import { commandsLeft, type CommandLeft } from '../sinks/process/commands/command-ledger.ts';
import { killRun } from '../sinks/process/kill-tree.ts';
import { freezeAll, killAll } from '../sinks/process/signal-each.ts';
import { procCensus } from '../sources/process/census.ts';

/** An unknown leader, since no process has this pid: the processes are found by their marks alone. */
const UNKNOWN = { pid: 4_194_304, startTicks: 0 };

/**
 * Kills leftovers of recorded commands if `which` accepts their mark. Resolves when none is alive, or after
 * two seconds, with descriptions of those that were alive.
 */
export const endCommands = async (
  dataDir: string,
  which: (mark: string) => boolean = () => true,
): Promise<readonly string[]> => {
  const left = commandsLeft(dataDir).filter(({ service, run }) => which(`${service}#${run}`));
  if (left.length === 0) return [];
  const census = procCensus({ dataDir });
  const alive = new Set<CommandLeft>();
  const hunts = left.map((command) => {
    const { service, run, uid, over } = command;
    const leader = { ...UNKNOWN, ...(uid !== undefined && { uid }) };
    const freeze: typeof freezeAll = (...found) => {
      alive.add(command);
      freezeAll(...found);
    };
    const hunt$ = killRun(census, { service, run, leader, targets: [] }, { freeze, kill: killAll });
    return hunt$.pipe(defaultIfEmpty(undefined), map(over));
  });
  await lastValueFrom(forkJoin(hunts), { defaultValue: undefined });
  return [...alive].map(({ about }) => about);
};
