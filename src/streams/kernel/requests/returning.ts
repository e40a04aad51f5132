// Declared again before it is gone: its removal is called off. Who was wanted up when that began comes up again, as if it
// had never been gone; who was stopped by hand before stays down.
import type { Service } from '../../domain/service/service.ts';
import { find, put, type Draft } from '../draft.ts';
import { servicesOf } from '../roster.ts';
import { send } from '../send.ts';
import { decide } from './hear.ts';
import { isBack } from './news.ts';
import { calledOff } from './verdict.ts';

/** A restart or an apply that was to remove it is told; who waits for its turn there is awaited for that. */
const tellRemoving = (draft: Draft, { spec: { id }, awaitedBy }: Service): void => {
  for (const request of awaitedBy) {
    const { command, turn } = draft.state.requests[request] ?? {};
    if ((command?.type === 'restart' || command?.type === 'apply') && turn !== id)
      decide(draft, { request, service: id, failure: calledOff(id) });
  }
};

/** For whoever has registered manifests: those that are back are wanted again. */
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
