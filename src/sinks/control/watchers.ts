// Sends changes of services to watching clients. Each change is rendered once for all clients that watch the
// same selection.
import { filter, finalize, merge, share, takeUntil, tap, type Observable } from 'rxjs';
import type { Selection } from '../../streams/domain/command.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { deltas, live } from '../../streams/views/live-view.ts';
import type { Snapshot } from '../../streams/views/state-snapshot.ts';
import { viewOf } from '../../streams/wire/messages.ts';
import type { ClientId, ControlServer } from '../../streams/wire/control-ports.ts';
import type { RpcMessage, View } from '../../streams/wire/protocol.ts';

interface WatchPorts {
  readonly server: ControlServer;
  readonly read: () => Snapshot;
  readonly changed$: Observable<ServiceId>;
  readonly watching?: Map<ClientId, Selection>;
}

/**
 * Returns an object with the function `of`, which returns the stream of changes for a selection. Clients with
 * the same selection share one stream.
 */
const sharedDeltas = ({ changed$, read }: WatchPorts): { of(selection: Selection): Observable<View> } => {
  const known = new Map<string, Observable<View>>();
  return {
    // eslint-disable-next-line rxjs-x/finnish -- a method, which carries no $, in a literal
    of(selection: Selection): Observable<View> {
      const key = JSON.stringify(selection);
      const present$ = known.get(key);
      if (present$ !== undefined) return present$;
      const delta$ = deltas({ changed$, read, selection }).pipe(
        finalize(() => known.delete(key)),
        share(),
      );
      known.set(key, delta$);
      return delta$;
    },
  };
};

/** Returns a function that encodes each view only once. */
const messages = (): ((view: View) => RpcMessage) => {
  const made = new WeakMap<View, RpcMessage>();
  return (view) => {
    const message = made.get(view) ?? viewOf(view);
    made.set(view, message);
    return message;
  };
};

export interface Watchers {
  /**
   * Sends the status of the selected services, then their changes, until the client disconnects or sends
   * another `watch` request.
   */
  watch(client: ClientId, selection: Selection): Observable<unknown>;
}

export const watchers = (ports: WatchPorts): Watchers => {
  const { server, read } = ports;
  const shared = sharedDeltas(ports);
  const messageOf = messages();
  return {
    // eslint-disable-next-line rxjs-x/finnish -- a method, which carries no $, in a literal
    watch(client: ClientId, selection: Selection): Observable<unknown> {
      const gone$ = server.left$.pipe(filter((other) => other === client));
      const replaced$ = server.incoming$.pipe(
        filter((incoming) => incoming.client === client && incoming.request.method === 'watch'),
      );
      const keepsUp = (): boolean => server.keepsUp(client);
      ports.watching?.set(client, selection);
      const end = (): void => {
        if (ports.watching?.get(client) === selection) ports.watching.delete(client);
      };
      return live({ delta$: shared.of(selection), read, selection, keepsUp }).pipe(
        tap((view) => server.send(client, messageOf(view))),
        takeUntil(merge(gone$, replaced$)),
        finalize(end),
      );
    },
  };
};
