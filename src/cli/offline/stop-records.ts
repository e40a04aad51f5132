// Records of a stop without a supervisor: only those of the selected services change.
import { filter, lastValueFrom, map, NEVER, of, type Observable } from 'rxjs';
import type { RegistryWriter } from '../../sinks/store/registry-writer.ts';
import type { RecordPorts } from '../../sinks/store/project-records.ts';
import { stateWriter } from '../../sinks/store/state-writer.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { Event } from '../../streams/domain/event.ts';
import { projectOf, type ServiceId } from '../../streams/domain/ids.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Loop } from '../../streams/kernel/loop.ts';
import { asRecorded, recordOf } from '../../streams/kernel/boot/stop-only.ts';
import { keep, keepLast, type KeepPorts } from '../../supervisor/index.ts';

/** The services to stop, among those found. */
export interface Stop {
  readonly first: Extract<Event, { type: 'booted' }>;
  readonly asked: ReadonlySet<ServiceId>;
  /** Selects the services in `asked`. */
  readonly selection: Selection;
}

/** A stop registers nothing. */
const UNTOUCHED: RegistryWriter = { follow: () => NEVER, flush: () => of(undefined), isLost: () => false };

/** Writers for the records; services that are not selected keep theirs. */
export const recordsOf = (ports: RecordPorts, { first, asked }: Stop, { read }: Loop): KeepPorts => {
  const recorded = asRecorded(first, asked);
  return {
    states: stateWriter(ports),
    registry: UNTOUCHED,
    read: () => recorded(read()),
  };
};

/** Persists changes of the selected services. */
export function follow({ derived }: Loop, { first, asked }: Stop, records: KeepPorts): Observable<never> {
  const recorded = recordOf(first, asked);
  const service$ = derived.service$.pipe(
    filter(({ id }) => asked.has(id)),
    map(({ id, service }) => ({ id, service: service && recorded(service) })),
  );
  return keep({ ...derived, service$ }, records);
}

/** Writes the final records; returns a warning if that fails. */
export const saved = async (records: KeepPorts, { asked }: Stop): Promise<readonly string[]> => {
  try {
    await lastValueFrom(keepLast(records, new Set([...asked].map(projectOf))), { defaultValue: undefined });
    return [];
  } catch (thrown) {
    return [`the stop is not recorded (${messageOf(thrown)}): the next supervisor may undo it`];
  }
};
