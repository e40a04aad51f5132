// Sends answers to clients. Requests that change no service (`status`, `inspect`, `metrics`, …) are answered
// at once from the latest state. The reply to a command goes to the client named by its request id, unless
// that client is gone.
import {
  catchError,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  tap,
} from 'rxjs';
import { watchers, type Watchers } from './watchers.ts';
import type { Reply, Selection } from '../../streams/domain/command.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { RequestId, ServiceId } from '../../streams/domain/ids.ts';
import type { Sink } from '../../streams/domain/ports.ts';
import type { Instant } from '../../streams/domain/time.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { inspectDocument } from '../../streams/views/inspect-document.ts';
import type { Snapshot } from '../../streams/views/state-snapshot.ts';
import { statusDocument } from '../../streams/views/status-document.ts';
import type { ClientRequest } from '../../streams/wire/codec.ts';
import type { MetricsDocument } from '../../streams/wire/documents/metrics-documents.ts';
import { failureOf, resultOf } from '../../streams/wire/messages.ts';
import type { ClientId, ControlServer, Incoming } from '../../streams/wire/control-ports.ts';
import type { Methods, PurgeQuery, RpcMessage, SamplesAnswer } from '../../streams/wire/protocol.ts';

export const replies =
  (server: ControlServer): Sink<'reply'> =>
  (reply$) =>
    reply$.pipe(
      tap(({ request, reply }) => {
        const { client, id } = addressOf(request);
        server.send(client, replyMessage(id, reply));
      }),
      ignoreElements(),
    );

const addressOf = (request: RequestId): { readonly client: string; readonly id: number } => {
  const colon = request.lastIndexOf(':');
  return { client: request.slice(0, colon), id: Number(request.slice(colon + 1)) };
};

const replyMessage = (id: number, reply: Reply): RpcMessage =>
  reply.ok ? resultOf(id, reply.done) : failureOf(id, errorDocument(reply.error), reply.warnings);

export interface Measures {
  readonly samples: (ids: readonly ServiceId[], since: Instant) => SamplesAnswer;
  readonly metrics: (snapshot: Snapshot) => MetricsDocument;
}

interface QuestionPorts {
  readonly server: ControlServer;
  readonly read: () => Snapshot;
  /** The supervisor's own environment, which services inherit. */
  readonly environment: Readonly<Record<string, string>>;
  /** Measured values such as CPU time, which are not part of the state. */
  readonly measures: Measures;
  /** Moves files of unregistered projects aside and returns their paths. The client deletes the files. */
  readonly purge: (query: PurgeQuery) => Methods['purge']['result']['removed'];
  /** Emits the id of each service that changed or was removed. */
  readonly changed$: Observable<ServiceId>;
  /** The selection of services that each client watches. */
  readonly watching?: Map<ClientId, Selection>;
  /** After a re-exec, emits each live view that a client had before, so that the view continues. */
  readonly handed$?: Observable<HandedWatch>;
}

export interface HandedWatch {
  readonly client: ClientId;
  readonly selection: Selection;
}

interface AnswerPorts extends QuestionPorts {
  readonly watchers: Watchers;
}

/** Answers requests that are not commands. Never fails: an internal error becomes the answer. */
export function questions(ports: QuestionPorts): Observable<never> {
  const { server } = ports;
  const all = { ...ports, watchers: watchers(ports) };
  const handed$ = (ports.handed$ ?? EMPTY).pipe(
    mergeMap(({ client, selection }) => all.watchers.watch(client, selection)),
  );
  const question$ = server.incoming$.pipe(
    filter(isQuestion),
    mergeMap((incoming) =>
      defer(() => answering(all, incoming)).pipe(
        catchError((error: unknown) => {
          server.send(incoming.client, failureOf(incoming.request.id, errorDocument(bug(error))));
          return EMPTY;
        }),
      ),
    ),
  );
  return merge(handed$, question$).pipe(ignoreElements());
}

const bug = (error: unknown): SupError => ({
  code: 'ERR0001',
  detail: messageOf(error),
});

/** The requests that another part of the supervisor answers. */
type Order = { method: 'command' | 'upgrade' };
type IncomingQuestion = Incoming & { readonly request: Exclude<ClientRequest, Order> };
const isQuestion = (incoming: Incoming): incoming is IncomingQuestion =>
  incoming.request.method !== 'command' && incoming.request.method !== 'upgrade';

function answering(ports: AnswerPorts, { client, request }: IncomingQuestion): Observable<unknown> {
  const { server, read } = ports;
  if (request.method === 'environment') {
    server.send(client, resultOf(request.id, ports.environment));
    return EMPTY;
  }
  if (request.method === 'purge') {
    server.send(client, resultOf(request.id, { removed: ports.purge(request.params) }));
    return EMPTY;
  }
  const snapshot = read();
  if (request.method === 'metrics') {
    server.send(client, resultOf(request.id, ports.measures.metrics(snapshot)));
    return EMPTY;
  }
  const selected = snapshot.select(request.method === 'samples' ? request.params.selection : request.params);
  if (!selected.ok) {
    server.send(client, failureOf(request.id, errorDocument(selected.error)));
    return EMPTY;
  }
  server.send(
    client,
    resultOf(request.id, answerTo(request, snapshot, { ids: selected.ids, measures: ports.measures })),
  );
  return request.method === 'watch' ? ports.watchers.watch(client, request.params) : EMPTY;
}

type Question = Exclude<IncomingQuestion['request'], { method: 'environment' | 'metrics' | 'purge' }>;

const answerTo = (
  { method, params }: Question,
  snapshot: Snapshot,
  { ids, measures }: { readonly ids: readonly ServiceId[]; readonly measures: Measures },
): Methods[Question['method']]['result'] => {
  switch (method) {
    case 'status':
      return statusDocument({ ...snapshot, selection: params });
    case 'inspect':
      return inspectDocument({ ...snapshot, selection: params });
    case 'samples':
      return measures.samples(ids, params.since);
    case 'watch':
      return { watching: true };
  }
};
