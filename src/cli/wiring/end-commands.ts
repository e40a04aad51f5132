// Commands that a dead supervisor ran on behalf of services are ended before the next one begins its own
// (`docs/behaviour.md`, "Commands on behalf of a service").
import { defaultIfEmpty, forkJoin, lastValueFrom, map } from 'rxjs';
import { commandsLeft } from '../../sinks/process/commands/command-ledger.ts';
import { hunt } from '../../sinks/process/hunt.ts';
import { procCensus } from '../../sources/process/census.ts';

/** Nobody: they are found by their marks alone. */
const UNKNOWN = { pid: 4_194_304, startTicks: 0 };

/** Settles when nobody of them is alive, or after two seconds. `which`: of all that are on record, by their marks. */
export const endCommands = async (
  dataDir: string,
  which: (mark: string) => boolean = () => true,
): Promise<void> => {
  const left = commandsLeft(dataDir).filter(({ service, run }) => which(`${service}#${run}`));
  if (left.length === 0) return;
  const census = procCensus({ dataDir });
  const hunts = left.map(({ service, run, over }) =>
    hunt(census, { service, run, leader: UNKNOWN, targets: [] }).pipe(defaultIfEmpty(undefined), map(over)),
  );
  await lastValueFrom(forkJoin(hunts), { defaultValue: undefined });
};
