// Handles services that are declared again during their removal: such a service is not removed, and starts
// again if it was meant to run.
// Rules: `docs/behaviour.md`, "Restart by hand", "Declared again"; `docs/behaviour.md`, "Restart by hand".
import type { Service } from '../../domain/service/service.ts';
import { find, put, type Draft } from '../draft.ts';
import { servicesOf } from '../service-table.ts';
import { send } from '../send.ts';
import { decide } from './answer/awaited-services.ts';
import { isBack } from './selected-services.ts';
import { calledOff } from './answer/target-outcome.ts';

/** Fails the commands that were removing the service, because the service is declared again. */
const tellRemoving = (draft: Draft, { spec: { id }, awaitedBy }: Service): void => {
  for (const request of awaitedBy) {
    const { command, turn } = draft.state.requests[request] ?? {};
    if ((command?.type === 'restart' || command?.type === 'apply') && turn !== id)
      decide(draft, { request, service: id, failure: calledOff(id) });
  }
};

/** Starts services that were declared again during their removal. */
export const comeBack = (draft: Draft): void => {
  if (draft.state.phase !== 'running') return;
  for (const service of servicesOf(draft.state.serviceTable).filter(isBack)) {
    const { id } = service.spec;
    put(draft, { ...service, resume: false });
    send(draft, id, { type: 'start', insisted: false });
    const back = find(draft, id);
    if (back !== undefined) tellRemoving(draft, back);
  }
};
