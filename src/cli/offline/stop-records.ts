// The records of a stop without a supervisor: those who are asked, and nobody else.
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

/** What is to be stopped, of what was found. */
export interface Stop {
  readonly first: Extract<Event, { type: 'booted' }>;
  readonly asked: ReadonlySet<ServiceId>;
  /** Means those who are asked. */
  readonly selection: Selection;
}

/** Who stops services registers nothing. */
const UNTOUCHED: RegistryWriter = { follow: () => NEVER, flush: () => of(undefined), isLost: () => false };

/** Where the records go: who is not asked is recorded as before. */
export const recordsOf = (ports: RecordPorts, { first, asked }: Stop, { read }: Loop): KeepPorts => {
  const recorded = asRecorded(first, asked);
  return {
    states: stateWriter(ports),
    registry: UNTOUCHED,
    read: () => recorded(read()),
  };
};

/** Those who are asked are followed into their records. */
export function follow({ derived }: Loop, { first, asked }: Stop, records: KeepPorts): Observable<never> {
  const recorded = recordOf(first, asked);
  const service$ = derived.service$.pipe(
    filter(({ id }) => asked.has(id)),
    map(({ id, service }) => ({ id, service: service && recorded(service) })),
  );
  return keep({ ...derived, service$ }, records);
}

/** The last word; a warning where it could not be written. */
export const saved = async (records: KeepPorts, { asked }: Stop): Promise<readonly string[]> => {
  try {
    await lastValueFrom(keepLast(records, new Set([...asked].map(projectOf))), { defaultValue: undefined });
    return [];
  } catch (thrown) {
    return [`the stop is not recorded (${messageOf(thrown)}): the next supervisor may undo it`];
  }
};
