// What happens to services and to the supervisor, from the steps to `logs/events.jsonl`. The state never sees it.
import { ignoreElements, tap, type Observable } from 'rxjs';
import { EventFile } from '../../sinks/events/event-file.ts';
import { wallClock } from '../../sources/time/clock.ts';
import { ms } from '../../streams/domain/time.ts';
import type { Derived } from '../../streams/kernel/derived/derived.ts';
import { guarded } from '../../streams/operators/guarded.ts';
import { supervisorEvent, type SupervisorNews } from '../../streams/views/events/supervisor-event.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { Hello } from '../../streams/wire/protocol.ts';

interface KeptEventsPorts {
  readonly dataDir: string;
  readonly hello: Hello;
  /** It goes on in the place of another program: it did not begin. */
  readonly continued?: boolean;
  readonly onTrouble: (text: string) => void;
  /** What goes wrong where nobody expected it. */
  readonly onError: (name: string, error: unknown) => void;
}

export interface KeptEvents {
  /** At work for as long as it is subscribed. Never speaks. */
  readonly run$: Observable<never>;
  /** What became of the supervisor itself. */
  readonly tell: (reason: string, cause: string) => void;
  /** Settles when everything so far is written, as far as it can be. */
  readonly flush: () => Promise<void>;
  /** The last word, in an orderly end; settles when it is written, as far as it can be. */
  readonly close: () => Promise<void>;
}

/** Every event goes into the file as it happens; first that the supervisor runs, unless it goes on (`continued`). */
export const keptEvents = (
  { event$ }: Pick<Derived, 'event$'>,
  { dataDir, hello, continued = false, onTrouble, onError }: KeptEventsPorts,
): KeptEvents => {
  const file = new EventFile({ path: layoutOf(dataDir).events, onTrouble });
  const about = { pid: hello.pid, version: hello.version };
  const tell = (to: SupervisorNews['to']): void =>
    file.add(supervisorEvent({ ...about, at: wallClock.now(), to }));
  if (!continued) tell('running');
  return {
    run$: event$.pipe(
      tap((event) => file.add(event)),
      ignoreElements(),
      guarded('events', { onError, pause: ms(1_000) }),
    ),
    tell: (reason, cause) =>
      file.add({ ...supervisorEvent({ ...about, at: wallClock.now(), to: 'running' }), reason, cause }),
    flush: () => file.close(),
    close: () => {
      tell('stopped');
      return file.close();
    },
  };
};
