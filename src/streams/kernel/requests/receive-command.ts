// Begins to carry out a command. If the command is about declarations, the manifests are read first (phase
// `loading`), and `loaded` continues the command.
import type { Command, ServiceAct } from '../../domain/command.ts';
import type { LoadResult } from '../../domain/declared/manifest.ts';
import type { Event } from '../../domain/event.ts';
import type { RequestId } from '../../domain/ids.ts';
import { askSpawn } from '../child-requests.ts';
import { putRequest, type Draft } from '../draft.ts';
import type { SupervisorState } from '../state.ts';
import { withReading } from '../register-manifests.ts';
import { scaledManifest } from '../rollouts/number-of-instances.ts';
import { send } from '../send.ts';
import { answer, refuse } from './answer/command-reply.ts';
import { applyOrRestart } from './apply-and-restart.ts';
import { received, type Request } from './request.ts';
import { rollBack } from './roll-back.ts';
import { scaleLoaded } from './scale-instances.ts';
import { startLoaded } from './start-services.ts';
import { shutDown } from '../supervisor-end.ts';
import { forget, stop } from './stop-and-forget.ts';

/**
 * Returns how the manifests are read for this command. Each is read as it was registered, except the manifest
 * that a start names: the start says how to read it.
 */
const readingsFor = ({ readings }: SupervisorState, command: Command): Pick<Request, 'readings'> => {
  if (command.type !== 'start' || command.reading === undefined) return readings ? { readings } : {};
  const { selection, reading } = command;
  if (selection.manifest === undefined) return readings ? { readings } : {};
  const wanted = { ...readings?.[selection.manifest], ...reading };
  const filled = Object.entries(wanted).filter(([, list]) => list.length > 0);
  return withReading(
    readings,
    selection.manifest,
    filled.length === 0 ? undefined : Object.fromEntries(filled),
  );
};

const load = (draft: Draft, request: Request, paths: readonly string[]): void =>
  putRequest(draft, { ...request, phase: 'loading', paths, ...readingsFor(draft.state, request.command) });

const isEnding = ({ phase }: SupervisorState): boolean => phase === 'closing' || phase === 'closed';

/** Records that a user has signalled or reloaded processes directly, and replies at once. */
const acted = (draft: Draft, request: Request, acts: readonly ServiceAct[]): void => {
  acts.forEach(({ service, act }) => send(draft, service, { type: 'acted', act }));
  answer(draft, request);
};

type Requested = Omit<Extract<Event, { type: 'requested' }>, 'type'>;

/** Carries out a command. The reply goes to the request `id`. */
export const receive = (draft: Draft, { request: id, command, origin }: Requested): void => {
  const request = { ...received(id, command, draft.at), ...(origin !== undefined && { origin }) };
  if (isEnding(draft.state) && command.type !== 'shutdown')
    return refuse(draft, request, { code: 'ERR0206' });
  const registered = Object.keys(draft.state.manifests);
  switch (command.type) {
    case 'start': {
      const { manifest } = command.selection;
      return load(draft, request, manifest === undefined ? registered : [manifest]);
    }
    case 'restart':
    case 'apply':
    case 'plan':
    case 'scale':
      return load(draft, request, registered);
    case 'rollback':
      return rollBack(draft, request);
    case 'stop':
      return stop(draft, request);
    case 'spawn':
    case 'report':
      return askSpawn(draft, request);
    case 'acted':
      return acted(draft, request, command.acts);
    case 'called':
      return answer(draft, request);
    case 'forget':
      return forget(draft, request);
    case 'shutdown':
      return shutDown(draft, request, false);
  }
};

/** Continues a command after its manifests have been read. */
export const loaded = (draft: Draft, id: RequestId, read: readonly LoadResult[]): void => {
  const request = draft.state.requests[id];
  if (request?.phase !== 'loading') return;
  const { scales } = draft.state;
  const loads = read.map((load) =>
    load.manifest === undefined ? load : { ...load, manifest: scaledManifest(load.manifest, scales) },
  );
  if (request.command.type === 'start') startLoaded(draft, request, loads);
  else if (request.command.type === 'scale') scaleLoaded(draft, request, loads);
  else applyOrRestart(draft, request, loads);
};
