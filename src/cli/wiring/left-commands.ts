// Commands on behalf of services that the supervisor before was running as it died: by the records they are still to end.
import { endLeftCommands } from '../../sinks/process/left-commands.ts';
import { procCensus } from '../../sources/process/census.ts';
import { allWatchesOf } from '../../streams/deploy/watches.ts';
import type { Event } from '../../streams/domain/event.ts';

/** Before the loop begins: it begins them anew, or takes them back. */
export const endThoseLeft = async (
  { restored, settings }: Extract<Event, { type: 'booted' }>,
  dataDir: string,
): Promise<void> => {
  const watches = restored.flatMap((service) => allWatchesOf(service, settings));
  const keys = watches.filter(({ type }) => type === 'command').map(({ key }) => key);
  if (keys.length > 0) await endLeftCommands(procCensus({ dataDir }), keys);
};
