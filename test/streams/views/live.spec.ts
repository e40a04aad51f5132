import { describe, it } from 'vitest';
import { map } from 'rxjs';
import type { ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import type { Selection } from '../../../src/streams/domain/command.ts';
import { live } from '../../../src/streams/views/live.ts';
import type { Snapshot } from '../../../src/streams/views/snapshot.ts';
import { lookUpIn } from '../../../src/streams/views/status.ts';
import type { View } from '../../../src/streams/wire/protocol.ts';
import { rxTest } from '../../support/rx-test.ts';
import { idOf, needs, specOf } from '../../support/spec.ts';
import { NOW, serviceIn, STATES } from '../../support/states.ts';

const named = (name: string, changes: Partial<Service> = {}): Service => ({
  ...serviceIn('up'),
  spec: specOf(name, name === 'web' ? { dependsOn: needs('db') } : {}),
  ...changes,
});

const snapshotOf = (services: readonly Service[]): Snapshot => ({
  services,
  byId: lookUpIn(services),
  projects: [],
  supervisor: {
    running: true,
    pid: 1,
    version: 'x',
    since: null,
    restarts: null,
    process_start: null,
    warnings: [],
  },
  settings: DEFAULT_SETTINGS,
  dataDir: '/data',
  now: NOW,
  select: () => ({ ok: true, ids: [] }),
});

/** What a view shows, in few words. */
const gist = ({ full, projects, gone }: View): string =>
  [
    full ? 'all' : 'some',
    ...projects.flatMap(({ services }) => services.map(({ name, run }) => `${name}:${run}`)),
    ...gone.map((id) => `-${id}`),
  ].join(' ');

interface Story {
  readonly read: () => Snapshot;
  readonly changes: string;
  readonly values: Readonly<Record<string, ServiceId>>;
  readonly selection?: Selection;
  readonly expected: string;
  readonly gists: Readonly<Record<string, string>>;
}

const tells = ({ read, changes, values, selection = {}, expected, gists }: Story): void =>
  rxTest((rx) => {
    const changed$ = rx.hot(changes, values);
    rx.expectObservable(live({ changed$, read, selection }).pipe(map(gist)), '1s !').toBe(expected, gists);
  });

describe('the live view', () => {
  it('shows everything once, then what changed in a tenth of a second, each service once, as it is at the end', () => {
    let run = 0;
    tells({
      // Every look finds the services one run further.
      read: () => snapshotOf(['web', 'db'].map((name) => named(name, { runs: (run += 1) }))),
      changes: '  -ww-d-w 200ms d',
      values: { w: idOf('web'), d: idOf('db') },
      expected: 'a 100ms b 205ms c',
      gists: { a: 'all web:1 db:2', b: 'some web:3 db:4', c: 'some db:6' },
    });
  });

  it('shows a service that waits for one that changed, for its reason is another', () => {
    tells({
      read: () => snapshotOf([named('web', { actual: STATES.waiting }), named('db'), named('mq')]),
      changes: '  -d',
      values: { d: idOf('db') },
      expected: 'a 100ms b',
      gists: { a: 'all web:3 db:3 mq:3', b: 'some web:3 db:3' },
    });
  });

  it('names those that left', () => {
    tells({
      read: () => snapshotOf([named('db')]),
      changes: '  -w',
      values: { w: idOf('web') },
      expected: 'a 100ms b',
      gists: { a: 'all db:3', b: 'some -shop/web' },
    });
  });

  it('says nothing about what is not selected', () => {
    tells({
      read: () => snapshotOf([named('web'), named('db')]),
      changes: '  -dx',
      values: { d: idOf('db'), x: idOf('gone') },
      selection: { services: ['web'] },
      expected: 'a',
      gists: { a: 'all web:3' },
    });
  });
});
