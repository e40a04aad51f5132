// A service declared again before it is gone: its removal is cancelled. If it was wanted when that began, it
// starts again; if it was stopped by hand before, it stays down.
// Rules: `docs/behaviour.md`, "Restart by hand", "Declared again".
import type { Service } from '../../domain/service/service.ts';
import { find, put, type Draft } from '../draft.ts';
import { servicesOf } from '../roster.ts';
import { send } from '../send.ts';
import { decide } from './hear.ts';
import { isBack } from './news.ts';
import { calledOff } from './verdict.ts';

/** Fails the restart or apply that was to remove it, unless the service has its turn there. */
const tellRemoving = (draft: Draft, { spec: { id }, awaitedBy }: Service): void => {
  for (const request of awaitedBy) {
    const { command, turn } = draft.state.requests[request] ?? {};
    if ((command?.type === 'restart' || command?.type === 'apply') && turn !== id)
      decide(draft, { request, service: id, failure: calledOff(id) });
  }
};

/** After manifests were registered: services that were declared again are wanted again. */
export const comeBack = (draft: Draft): void => {
  if (draft.state.phase !== 'running') return;
  for (const service of servicesOf(draft.state.roster).filter(isBack)) {
    const { id } = service.spec;
    put(draft, { ...service, resume: false });
    send(draft, id, { type: 'start', insisted: false });
    const back = find(draft, id);
    if (back !== undefined) tellRemoving(draft, back);
  }
};
