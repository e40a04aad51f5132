import { describe, expect, it } from 'vitest';
import { map, share } from 'rxjs';
import type { ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import type { Selection } from '../../../src/streams/domain/command.ts';
import { withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { deltas, live } from '../../../src/streams/views/live-view.ts';

import { lookUpIn, type Snapshot } from '../../../src/streams/views/state-snapshot.ts';
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

/** Returns a short text with the content of a view. */
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
  readonly keepsUp?: () => boolean;
}

const always = (): boolean => true;

const tells = ({ read, changes, values, selection = {}, expected, gists, keepsUp = always }: Story): void =>
  rxTest((rx) => {
    const changed$ = rx.hot(changes, values);
    const delta$ = deltas({ changed$, read, selection });
    const view$ = live({ delta$, read, selection, keepsUp });
    rx.expectObservable(view$.pipe(map(gist)), '2s !').toBe(expected, gists);
  });

describe('the live view', () => {
  it('the live view shows everything once, then changes at most five times a second, each service once', () => {
    let run = 0;
    tells({
      // Each call of `read` returns the services with the next run number.
      read: () => snapshotOf(['web', 'db'].map((name) => named(name, { runs: (run += 1) }))),
      changes: '  -ww-d-w 500ms d',
      values: { w: idOf('web'), d: idOf('db') },
      expected: 'ab 199ms c 305ms d',
      gists: { a: 'all web:1 db:2', b: 'some web:3', c: 'some web:5 db:6', d: 'some db:8' },
    });
  });

  it('the live view updates a service that waits for a changed service, because its reason changes too', () => {
    tells({
      read: () => snapshotOf([named('web', { actual: STATES.waiting }), named('db'), named('mq')]),
      changes: '  -d',
      values: { d: idOf('db') },
      expected: 'ab',
      gists: { a: 'all web:3 db:3 mq:3', b: 'some web:3 db:3' },
    });
  });

  it('the live view updates a service whose candidate waits for a changed one', () => {
    const web = named('web');
    const rolling = withRollout({ ...web, revised: { ...web.spec, dependsOn: needs('db') } }, NOW, false);
    tells({
      read: () => snapshotOf([rolling, named('db')]),
      changes: '  -d',
      values: { d: idOf('db') },
      expected: 'ab',
      gists: { a: 'all web:3 db:3', b: 'some web:3 db:3' },
    });
  });

  it('the live view names removed services', () => {
    tells({
      read: () => snapshotOf([named('db')]),
      changes: '  -w',
      values: { w: idOf('web') },
      expected: 'ab',
      gists: { a: 'all db:3', b: 'some -shop/web' },
    });
  });

  it('the live view has only selected services', () => {
    tells({
      read: () => snapshotOf([named('web'), named('db')]),
      changes: '  -dx',
      values: { d: idOf('db'), x: idOf('gone') },
      selection: { services: ['web'] },
      expected: 'a',
      gists: { a: 'all web:3' },
    });
  });

  it('the live view sends nothing to a slow client, and everything again once it catches up', () => {
    const told = [true, false, false, false, true, true];
    tells({
      read: () => snapshotOf([named('db')]),
      changes: '  -d 300ms d 300ms d 999ms d',
      values: { d: idOf('db') },
      // At the second change the viewer is behind, and the third comes meanwhile. At the third check it has
      // caught up.
      expected: 'ab 900ms c 700ms d',
      gists: { a: 'all db:3', b: 'some db:3', c: 'all db:3', d: 'some db:3' },
      keepsUp: () => told.shift() ?? true,
    });
  });

  it('the live view renders a change once for any number of watchers', () => {
    rxTest((rx) => {
      let looks = 0;
      const read = (): Snapshot => {
        looks += 1;
        return snapshotOf([named('db')]);
      };
      const delta$ = deltas({ changed$: rx.hot('-d', { d: idOf('db') }), read, selection: {} }).pipe(share());
      const viewer$ = live({ delta$, read, selection: {}, keepsUp: always }).pipe(map(gist));
      const gists = { a: 'all db:3', b: 'some db:3' };
      for (let viewer = 0; viewer < 3; viewer += 1) rx.expectObservable(viewer$, '-- !').toBe('ab', gists);
      rx.flush();
      expect(looks).toBe(4);
    });
  });
});
