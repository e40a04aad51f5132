// Loads manifests for a request, at subscription.
import { defer, of } from 'rxjs';
import type { Source } from '../streams/domain/ports.ts';
import { withSlots } from './kept-slots.ts';
import { loadRegistered, type LoadPorts } from './load.ts';

export const manifests =
  (ports: LoadPorts): Source<'manifests'> =>
  ({ request, paths }) =>
    defer(() =>
      of({
        type: 'manifests-loaded' as const,
        request,
        loads: paths.map((path) => withSlots(loadRegistered(path, ports))),
      }),
    );
