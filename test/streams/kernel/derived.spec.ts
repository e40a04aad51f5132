import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Event, Stamped } from '../../../src/streams/domain/event.ts';
import { requestId, runId } from '../../../src/streams/domain/ids.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { derive } from '../../../src/streams/kernel/derived.ts';
import { supervise } from '../../../src/streams/kernel/supervise.ts';
import { listen } from '../../support/listen.ts';
import { idOf, manifestOf, needs, specOf } from '../../support/spec.ts';

/** Everything that the derived streams say while a small stack starts, crashes and gives up. */
const heardOf = (events: readonly Event[]): readonly string[] => {
  const event$ = new Subject<Stamped>();
  const heard: string[] = [];
  const { admission$, breaker$, casualty$, effect$, restart$, watch$ } = derive(event$.pipe(supervise()));
  listen(admission$, ({ spec }) => heard.push(`in ${spec.name}`));
  listen(restart$, ({ spec }) => heard.push(`restart ${spec.name}`));
  listen(breaker$, ({ spec }) => heard.push(`breaker ${spec.name}`));
  listen(casualty$, ({ spec }) => heard.push(`casualty ${spec.name}`));
  listen(effect$, ({ type }) => heard.push(type));
  listen(watch$, ({ owner, watches }) =>
    heard.push(`${owner}: ${watches.map(({ type }) => type).join(' ')}`),
  );
  events.forEach((event, at) => event$.next({ at: instant(at), event }));
  return heard;
};

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

describe('what follows from the steps', () => {
  it('is the watches of each owner that was touched, and nothing for the others', () => {
    expect(heardOf(start).filter((line) => line.includes(': '))).toEqual([
      'request:r: manifests',
      'shop/web: ',
      'shop/db: ',
      'request:r: deadline',
    ]);
  });

  it('is the admission of a service, once', () => {
    expect(heardOf([...start, ...life(1)]).filter((line) => line.startsWith('in '))).toEqual([
      'in db',
      'in web',
    ]);
  });

  it('is every automatic restart, and the breaker when it opens, once each', () => {
    const again: Event = { ...news(1), type: 'elapsed', timer: 'backoff' };
    const heard = heardOf([...start, ...life(1), again, ...life(2)]);
    expect(heard.filter((line) => /^(restart|breaker)/.test(line))).toEqual(['restart db', 'breaker db']);
  });

  it('is a casualty when it has fallen', () => {
    const web = { service: idOf('web'), run: runId(1) };
    const fallen: readonly Event[] = [
      ...start,
      ...life(1).slice(0, 2),
      { ...web, type: 'spawned', process: { pid: 9, startTicks: 9 } },
      ...life(1).slice(2),
      { ...web, type: 'exited', status: { tag: 'signal', signal: 'SIGTERM' } },
      { ...web, type: 'surveyed', alive: [], evidence: [] },
    ];
    expect(heardOf(fallen).filter((line) => line.startsWith('casualty'))).toEqual(['casualty web']);
  });

  it('is which projects a person has just asked something of, and never what news brought', () => {
    const event$ = new Subject<Stamped>();
    const asked: string[][] = [];
    listen(derive(event$.pipe(supervise())).asked$, (projects) => asked.push([...projects]));
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
