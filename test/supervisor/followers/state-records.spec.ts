import type { Turn } from '../../../src/streams/kernel/after-step/state-change.ts';
import { Observable, Subject, tap, throwError, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  keep,
  keepLast,
  keepNow,
  projectsIn,
  type RecordWriters,
} from '../../../src/supervisor/followers/state-records.ts';
import type { StateWriter } from '../../../src/sinks/store/save-changes.ts';
import { projectId, projectOf, serviceId, type ProjectId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import type { Derived, ServiceChange } from '../../../src/streams/kernel/after-step/step-streams.ts';
import { serviceTableOf } from '../../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../src/streams/kernel/state.ts';
import type { ProjectSnapshot, Registered } from '../../../src/streams/wire/state-files.ts';
import { listen } from '../../support/listen.ts';
import { rxTest } from '../../support/rx-test.ts';
import { SHOP, idOf } from '../../support/spec.ts';
import { serviceIn } from '../../support/states.ts';

const BANK = projectId('bank');
const ofBank = (service: Service): Service => ({
  ...service,
  spec: { ...service.spec, project: BANK, id: serviceId(BANK, 'till') },
});

/** A disk that tells what is written as `project: states` and `manifests: paths`; a flush takes a millisecond. */
const disk = (state: SupervisorState) => {
  const written: string[] = [];
  const known = { state };
  const states = (of: ProjectSnapshot): number =>
    written.push(`${of.project}: ${of.services.map(({ actual }) => actual.tag).join(' ')}`);
  const registered = ({ manifests }: Registered): number => written.push(`manifests: ${manifests.join(' ')}`);
  function soon(write: () => unknown): Observable<void> {
    return timer(1).pipe(
      tap(write),
      map(() => undefined),
    );
  }
  function followed<T>(value$: Observable<T>, write: (value: T) => unknown): Observable<never> {
    return new Observable((reader) => {
      const following = value$.subscribe({ next: write, error: (error: unknown) => reader.error(error) });
      return () => following.unsubscribe();
    });
  }
  const ports: RecordWriters = {
    read: () => known.state,
    states: {
      follow(change$, servicesOf) {
        return followed(change$, ({ id }) =>
          states({ project: projectOf(id), services: servicesOf(projectOf(id)) }),
        );
      },
      flush(snapshot) {
        return soon(() => states(snapshot));
      },
      conclude(snapshot) {
        return soon(() => states(snapshot));
      },
      isLost: () => false,
      troubles: () => [],
    },
    registry: {
      follow(registered$) {
        return followed(registered$, registered);
      },
      flush(now) {
        return soon(() => registered(now));
      },
      isLost: () => false,
    },
  };
  return { ports, written, known };
};
const full = (ports: RecordWriters): RecordWriters => {
  const states: StateWriter = {
    ...ports.states,
    flush() {
      return throwError(() => new Error('ENOSPC'));
    },
    conclude() {
      return throwError(() => new Error('ENOSPC'));
    },
  };
  return { ...ports, states };
};
const stateWith = (...services: readonly Service[]): SupervisorState => ({
  ...INITIAL_STATE,
  serviceTable: serviceTableOf(services),
  manifests: { '/a.yaml': [] },
});

interface Lanes {
  readonly service$: Subject<ServiceChange>;
  readonly state$: Subject<SupervisorState>;
  readonly commanded$: Subject<ReadonlySet<ProjectId>>;
  readonly rollout$: Subject<Turn>;
}
const lanes = (): Lanes => ({
  service$: new Subject<ServiceChange>(),
  state$: new Subject<SupervisorState>(),
  commanded$: new Subject<ReadonlySet<ProjectId>>(),
  rollout$: new Subject<Turn>(),
});
function following(given: Lanes, ports: RecordWriters): Observable<never> {
  // The other streams of the loop are none of its business.
  return keep(given as unknown as Derived, ports);
}
const changed = (name = 'web'): ServiceChange => ({ id: idOf(name), service: undefined });

describe('the records of the state', () => {
  it('the records have each changed service with its present project', () => {
    rxTest((rx) => {
      const { ports, written, known } = disk(stateWith(serviceIn('up'), ofBank(serviceIn('down'))));
      const given = lanes();
      listen<string>(rx.cold('-abc'), (letter) => {
        if (letter === 'c') known.state = stateWith(serviceIn('stopping'), ofBank(serviceIn('down')));
        given.service$.next(letter === 'b' ? { id: serviceId(BANK, 'till'), service: undefined } : changed());
      });
      rx.expectObservable(following(given, ports), '50ms !').toBe('');
      rx.flush();
      expect(written).toEqual(['shop: up', 'bank: down', 'shop: stopping']);
    });
  });

  it('the records have the list of manifests whenever it changes', () => {
    rxTest((rx) => {
      const { ports, written, known } = disk(stateWith());
      const given = lanes();
      const more = { ...known.state, manifests: { '/a.yaml': [], '/b.yaml': [] } };
      listen<string>(rx.cold('-aab'), (letter) => {
        if (letter === 'b') known.state = more;
        given.state$.next(known.state);
      });
      rx.expectObservable(following(given, ports), '50ms !').toBe('');
      rx.flush();
      expect(written).toEqual(['manifests: /a.yaml', 'manifests: /a.yaml /b.yaml']);
    });
  });

  it('the records have requests of users at once', () => {
    rxTest((rx) => {
      const { ports, written } = disk(stateWith(serviceIn('up')));
      const given = lanes();
      const seen: (readonly string[])[] = [];
      listen<string>(rx.cold('-a'), () => given.commanded$.next(new Set([SHOP])));
      listen(timer(3), () => seen.push([...written]));
      rx.expectObservable(following(given, ports), '50ms !').toBe('');
      rx.flush();
      expect(seen).toEqual([['manifests: /a.yaml', 'shop: up']]);
    });
  });
});

describe('immediate records', () => {
  const state = stateWith(serviceIn('up'), ofBank(serviceIn('down')));

  it('an immediate record writes given projects and the manifests, and completes after all of them', () => {
    rxTest((rx) => {
      const { ports, written } = disk(state);
      const done$ = keepNow(ports, new Set([SHOP])).pipe(map(() => 'done'));
      rx.expectObservable(done$).toBe('-(d|)', { d: 'done' });
      rx.flush();
      expect(written).toEqual(['manifests: /a.yaml', 'shop: up']);
    });
  });

  it('an immediate record reports a write error, and fails at the end', () => {
    rxTest((rx) => {
      const ports = full(disk(state).ports);
      rx.expectObservable(keepNow(ports, new Set([SHOP]))).toBe('-(d|)', { d: ['ENOSPC'] });
      rx.expectObservable(keepLast(ports, projectsIn(state))).toBe('#', {}, new Error('ENOSPC'));
    });
  });

  it('an immediate record writes each project at the end', () => {
    expect([...projectsIn(state)]).toEqual([SHOP, BANK]);
    rxTest((rx) => {
      const { ports, written } = disk(state);
      rx.expectObservable(keepLast(ports, projectsIn(state)).pipe(map(() => 'done'))).toBe('-(d|)', {
        d: 'done',
      });
      rx.flush();
      expect(written).toEqual(['manifests: /a.yaml', 'shop: up', 'bank: down']);
    });
  });
});
