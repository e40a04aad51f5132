// Writes events of services and of the supervisor to `logs/events.jsonl`. The state does not contain these
// events.
import { ignoreElements, tap, type Observable } from 'rxjs';
import { EventFile } from '../../sinks/events/event-file.ts';
import { wallClock } from '../../sources/clocks.ts';
import { ms } from '../../streams/domain/time.ts';
import type { Derived } from '../../streams/kernel/after-step/step-streams.ts';
import { each } from '../../streams/operators/each.ts';
import { guarded } from '../../streams/operators/guarded.ts';
import {
  stepEvents,
  supervisorEvent,
  type SupervisorNews,
} from '../../streams/views/events/event-documents.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { Hello } from '../../streams/wire/protocol.ts';

interface KeptEventsPorts {
  readonly dataDir: string;
  readonly hello: Hello;
  /** True after an upgrade. No event then says that the supervisor has started. */
  readonly continued?: boolean;
  readonly logError: (text: string) => void;
  /** Called with an unexpected error, and the name of the part in which it occurred. */
  readonly onError: (name: string, error: unknown) => void;
}

export interface EventLog {
  /** Writes events while it is subscribed. Never emits. */
  readonly run$: Observable<never>;
  /** Writes an event of the supervisor itself, such as an upgrade. */
  readonly tell: (reason: string, cause: string) => void;
  /** Writes an event that no step of the loop has caused. */
  readonly add: (event: EventDocument) => void;
  /** Resolves when all events so far are written, or could not be written. */
  readonly flush: () => Promise<void>;
  /** Records that the supervisor has stopped. Resolves when that event is written or could not be written. */
  readonly close: () => Promise<void>;
}

/**
 * Returns a log that writes events as they happen. Its first event says that the supervisor runs, unless
 * `continued` is true.
 */
export const eventLog = (
  { step$ }: Pick<Derived, 'step$'>,
  { dataDir, hello, continued = false, logError, onError }: KeptEventsPorts,
): EventLog => {
  const file = new EventFile({ path: layoutOf(dataDir).events, logError });
  const about = { pid: hello.pid, version: hello.version };
  const tell = (to: SupervisorNews['to']): void =>
    file.add(supervisorEvent({ ...about, at: wallClock.now(), to }));
  if (!continued) tell('running');
  return {
    run$: step$.pipe(
      each(stepEvents),
      tap((event) => file.add(event)),
      ignoreElements(),
      guarded('events', { onError, pause: ms(1_000) }),
    ),
    tell: (reason, cause) =>
      file.add({ ...supervisorEvent({ ...about, at: wallClock.now(), to: 'running' }), reason, cause }),
    add: (event) => file.add(event),
    flush: () => file.close(),
    close: () => {
      tell('stopped');
      return file.close();
    },
  };
};
