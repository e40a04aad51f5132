// A supervisor for the server of the dashboard, whose streams a test feeds.
import { EMPTY, type Observable, of, Subject } from 'rxjs';
import type { Feed } from '../../src/client/feed.ts';
import type { Sup } from '../../src/client/api/sup-interface.ts';
import { statusDocument } from '../../src/streams/views/status-document.ts';
import type { StatusDocument } from '../../src/streams/wire/documents/documents.ts';
import type { EventDocument } from '../../src/streams/wire/documents/event-document.ts';
import type { MetricsDocument } from '../../src/streams/wire/documents/metrics-documents.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import { lookUpIn } from '../../src/streams/views/state-snapshot.ts';
import { NOW } from '../support/states.ts';

const SUPERVISOR = {
  ...{ running: true, pid: 1, version: '1.0.0', since: null, restarts: null, process_start: null },
  warnings: [],
} as const;

export const statusOf = (services: readonly Service[], supervisor: object = {}): StatusDocument =>
  statusDocument({
    ...{ services, byId: lookUpIn(services), now: NOW, selection: {}, projects: [] },
    supervisor: { ...SUPERVISOR, ...supervisor },
  });

/** What the status is without a supervisor. */
export const GONE = { running: false, pid: null, version: null };

function feed<T>(value$: Observable<T>): Feed<T> {
  return value$ as Feed<T>;
}

export interface FakeSup {
  readonly sup: Sup;
  readonly status$: Subject<StatusDocument>;
  readonly event$: Subject<EventDocument>;
  readonly metrics$: Subject<MetricsDocument>;
}

export const fakeSup = (given: Partial<Sup> = {}): FakeSup => {
  const status$ = new Subject<StatusDocument>();
  const event$ = new Subject<EventDocument>();
  const metrics$ = new Subject<MetricsDocument>();
  const refuse = (): Promise<never> => Promise.reject(new Error('not in this test'));
  const sup = {
    ...{ dataDir: '/nowhere', status$: feed(status$), events$: feed(event$), metrics$: feed(metrics$) },
    ...{ service$: () => feed(of(undefined)), logs$: () => feed(EMPTY), events: () => Promise.resolve([]) },
    inspect: () =>
      Promise.resolve({ schema: 'sup.inspect/1', supervisor: SUPERVISOR, services: [] } as const),
    ...{ status: refuse, plan: refuse, start: refuse, stop: refuse, restart: refuse, apply: refuse },
    ...{
      why: refuse,
      config: refuse,
      called: refuse,
      rollback: refuse,
      scale: refuse,
      forget: refuse,
      shutdown: refuse,
      wait: refuse,
      validate: refuse,
      kill: refuse,
      reload: refuse,
      exec: refuse,
    },
    ...given,
  };
  return { sup, status$, event$, metrics$ };
};
