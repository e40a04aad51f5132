// Takes back the sockets of runs that outlived the previous supervisor, before any service starts: these runs
// may have what others need.
import { catchError, firstValueFrom, of } from 'rxjs';
import type { HeldSockets } from '../../sinks/process/held-sockets.ts';
import { procCensus } from '../../sources/process/census.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { Event, Found } from '../../streams/domain/event.ts';

type Booted = Extract<Event, { type: 'booted' }>;

interface Ports {
  readonly dataDir: string;
  readonly sockets: Pick<HeldSockets, 'adopt' | 'lacks'>;
}

const listeners = ({ restored, found }: Booted): readonly { spec: ServiceSpec; run: Found }[] =>
  restored
    .flatMap(({ spec, rollout }) => (rollout === undefined ? [spec] : [spec, rollout.other.spec]))
    .filter(({ sockets = [] }) => sockets.length > 0)
    .flatMap((spec) => found.filter(({ service }) => service === spec.id).map((run) => ({ spec, run })));

/** Asks the leader first, then the rest of its run: a leader may have passed its sockets on to a child. */
export const adoptSockets = async ({ dataDir, sockets }: Ports, first: Booted): Promise<void> => {
  const runs = listeners(first);
  for (const { spec, run } of runs) sockets.adopt(spec, run.process);
  const census = procCensus({ dataDir });
  for (const { spec, run } of runs) {
    if (!sockets.lacks(spec)) continue;
    const member$ = census.membersOf(run.service, run.run, run.process).pipe(catchError(() => of([])));
    const members = await firstValueFrom(member$, { defaultValue: [] });
    for (const member of members) sockets.adopt(spec, member);
  }
};
