import { map, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Event, Stamped } from '../../../../src/streams/domain/event.ts';
import { requestId, runId } from '../../../../src/streams/domain/ids.ts';
import type { Manifest } from '../../../../src/streams/domain/declared/manifest.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import { derive } from '../../../../src/streams/kernel/after-step/step-streams.ts';
import { supervise } from '../../../../src/streams/kernel/kernel-scan.ts';
import { worded } from '../../../../src/streams/views/notes/note-text.ts';
import { notesOf } from '../../../../src/streams/views/notes/notes.ts';
import { listen } from '../../../support/listen.ts';
import { FACTS } from '../../../support/marble/telling.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

/** Returns everything that the derived streams emit for these events. */
const heardOf = (events: readonly Event[]): readonly string[] => {
  const event$ = new Subject<Stamped>();
  const heard: string[] = [];
  const derived = derive(event$.pipe(supervise()));
  for (const fact of FACTS)
    listen<{ service: Service }>(derived[fact], ({ service }) => heard.push(`${fact} ${service.spec.name}`));
  listen(derived.watch$, ({ owner, watches }) =>
    heard.push(`${owner}: ${watches.map(({ type }) => type).join(' ')}`),
  );
  listen(notesOf(derived).pipe(map(worded)), ({ service, text }) =>
    heard.push(`note ${service ?? 'sup'}: ${text}`),
  );
  listen(derived.hook$, ({ occasion }) => heard.push(`hook ${occasion.name}`));
  events.forEach((event, at) => event$.next({ at: instant(at), event }));
  return heard;
};
const only = (heard: readonly string[], ...heads: readonly string[]): readonly string[] =>
  heard.filter((line) => heads.some((head) => line.startsWith(head)));

const request = requestId('r');
const manifest = manifestOf(specOf('web', { dependsOn: needs('db') }), specOf('db', { maxRestarts: 1 }));
const start: readonly Event[] = [
  { type: 'requested', request, command: { type: 'start', selection: { manifest: manifest.path } } },
  { type: 'manifests-loaded', request, loads: [{ path: manifest.path, manifest, problems: [] }] },
];
const news = (run: number) => ({ service: idOf('db'), run: runId(run) });
const life = (run: number): readonly Event[] => [
  { ...news(run), type: 'spawned', process: { pid: run, startTicks: run } },
  { ...news(run), type: 'elapsed', timer: 'stability' },
  { ...news(run), type: 'exited', status: { tag: 'code', code: 1 } },
  { ...news(run), type: 'surveyed', alive: [], evidence: [] },
];

const again: Event = { ...news(1), type: 'elapsed', timer: 'backoff' };

describe('the consequences of a step', () => {
  it('a step derives watches of each changed owner, and nothing for the others', () => {
    expect(heardOf(start).filter((line) => line.includes(': '))).toEqual([
      'request:r: manifests',
      'shop/web: ',
      'shop/db: ',
      'request:r: deadline',
    ]);
  });

  it('a step derives one admission per service that passes the gate, none for automatic restarts', () => {
    const heard = heardOf([...start, ...life(1), again, ...life(2).slice(0, 2)]);
    expect(only(heard, 'admission$')).toEqual(['admission$ db', 'admission$ web']);
    expect(only(heard, 'ready$')).toEqual(['ready$ db', 'ready$ db']);
  });

  it('a step derives each automatic restart and each opened breaker once', () => {
    const heard = heardOf([...start, ...life(1), again, ...life(2)]);
    expect(only(heard, 'restart$', 'breaker$')).toEqual(['restart$ db', 'breaker$ db']);
  });

  it('a step derives a restart once, also if others restart before the next change', () => {
    const two = manifestOf(specOf('a'), specOf('b'), specOf('c'));
    const revised = manifestOf(specOf('a', { digest: 'new' }), specOf('b'), specOf('c'));
    const crash = (name: string): readonly Event[] => {
      const of = { service: idOf(name), run: runId(1) };
      return [
        { ...of, type: 'spawned', process: { pid: 9, startTicks: 9 } },
        { ...of, type: 'exited', status: { tag: 'code', code: 1 } },
        { ...of, type: 'surveyed', alive: [], evidence: [] },
      ];
    };
    const loads = (what: Manifest, service?: string): readonly Event[] => [
      {
        type: 'requested',
        request,
        command: {
          type: 'start',
          selection: { manifest: what.path, ...(service && { services: [service] }) },
        },
      },
      { type: 'manifests-loaded', request, loads: [{ path: what.path, manifest: what, problems: [] }] },
    ];
    const heard = heardOf([...loads(two), ...crash('a'), ...crash('b'), ...loads(revised, 'c')]);
    expect(only(heard, 'restart$')).toEqual(['restart$ a', 'restart$ b']);
    expect(only(heard, 'shop/a: ').length).toBeGreaterThan(only(heard, 'shop/b: ').length);
  });

  it('a step derives a casualty when a service is down because of its dependency', () => {
    const web = { service: idOf('web'), run: runId(1) };
    const fallen: readonly Event[] = [
      ...start,
      ...life(1).slice(0, 2),
      { ...web, type: 'spawned', process: { pid: 9, startTicks: 9 } },
      ...life(1).slice(2),
      { ...web, type: 'exited', status: { tag: 'signal', signal: 'SIGTERM' } },
      { ...web, type: 'surveyed', alive: [], evidence: [] },
    ];
    const heard = heardOf(fallen);
    expect(only(heard, 'casualty$')).toEqual(['casualty$ web']);
    expect(only(heard, 'note shop/web')).toEqual(['note shop/web: casualty of shop/db']);
  });

  it('a step derives a hook for each event that the service declares one for', () => {
    const hooks = { onstart: { command: 'true' }, 'on_stop.error': { command: 'true' } };
    const hooked = manifestOf(specOf('web'), specOf('db', { maxRestarts: 1, hooks }));
    const load: Event = {
      type: 'manifests-loaded',
      request,
      loads: [{ path: hooked.path, manifest: hooked, problems: [] }],
    };
    const heard = heardOf([...start.slice(0, 1), load, ...life(1)]);
    expect(only(heard, 'hook')).toEqual(['hook onstart', 'hook on_stop.error']);
  });

  it('a step derives the projects that a user has asked about, not those of events', () => {
    const event$ = new Subject<Stamped>();
    const asked: string[][] = [];
    listen(derive(event$.pipe(supervise())).commanded$, (projects) => asked.push([...projects]));
    const stop: Event = {
      type: 'requested',
      request: requestId('s'),
      command: { type: 'stop', selection: {} },
    };
    [...start, ...life(1)].forEach((event, at) => event$.next({ at: instant(at), event }));
    expect(asked).toEqual([['shop']]);
    event$.next({ at: instant(99), event: stop });
    expect(asked).toEqual([['shop'], ['shop']]);
  });
});
