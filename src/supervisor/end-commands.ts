// Commands that a dead supervisor ran on behalf of services are ended before the next one begins its own
// (`docs/behaviour.md`, "Commands on behalf of a service").
import { defaultIfEmpty, forkJoin, lastValueFrom, map } from 'rxjs';
import { commandsLeft, type CommandLeft } from '../sinks/process/commands/command-ledger.ts';
import { hunt } from '../sinks/process/hunt.ts';
import { freezeAll, killAll } from '../sinks/process/strike.ts';
import { procCensus } from '../sources/process/census.ts';

/** Nobody: they are found by their marks alone. */
const UNKNOWN = { pid: 4_194_304, startTicks: 0 };

/**
 * Resolves when nobody of them is alive, or after two seconds, with what those were of whom somebody was alive. `which`: of all
 * that are on record, by their marks.
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
    const hunt$ = hunt(census, { service, run, leader, targets: [] }, { freeze, kill: killAll });
    return hunt$.pipe(defaultIfEmpty(undefined), map(over));
  });
  await lastValueFrom(forkJoin(hunts), { defaultValue: undefined });
  return [...alive].map(({ about }) => about);
};
