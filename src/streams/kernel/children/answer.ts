// Replies to a request for a child: that it runs, or why it does not.
import type { ServiceId } from '../../domain/ids.ts';
import type { Child, PastChild } from '../../domain/service/child.ts';
import type { Service } from '../../domain/service/service.ts';
import { depthOf } from '../../children/family.ts';
import type { Draft } from '../draft.ts';
import { refuse, tellChild } from '../requests/answer.ts';

/** Replies once the child has a process; the request may be gone by then. */
export const tellBegun = (draft: Draft, service: Service, child: Child): void => {
  const { askedBy, name, run, actual, expires } = child;
  const request = askedBy === undefined ? undefined : draft.state.requests[askedBy];
  if (request === undefined || !('process' in actual)) return;
  tellChild(draft, request, {
    ...{ service: service.spec.id, name, run, pid: actual.process.pid },
    depth: depthOf(service, child),
    ...(expires !== undefined && { expires }),
  });
};

/** The child never ran. */
export const tellRefused = (
  draft: Draft,
  service: ServiceId,
  [{ askedBy }, { error }]: readonly [Child, PastChild],
): void => {
  const request = askedBy === undefined ? undefined : draft.state.requests[askedBy];
  if (request === undefined) return;
  refuse(draft, request, error ?? { code: 'ERR0407', of: service });
};
