import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/streams/domain/effect.ts';
import type { CommandOutcome } from '../../../src/streams/domain/event.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import type { Input } from '../../../src/streams/service/service-input.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import { watchesOf } from '../../../src/streams/service/service-watches.ts';
import { warningEvents } from '../../../src/streams/views/events/incident-events.ts';
import { ms, plus } from '../../../src/streams/domain/time.ts';
import { idOf } from '../../support/spec.ts';
import { BEGAN, CONTEXT, INPUTS, NOW, PROCESS, RUN, serviceIn } from '../../support/states.ts';

const CHILD: ProcessRef = { pid: 301, startTicks: 3001 };
const LATER: ProcessRef = { pid: 302, startTicks: 3002 };

const seen = (...alive: readonly ProcessRef[]): Input => ({
  type: 'surveyed',
  service: idOf('web'),
  run: RUN,
  alive,
  evidence: [],
});
/** The result of a scan that found no process of the tree, but processes in the cgroup. */
const onlyInCgroup = (...unproven: readonly ProcessRef[]): Input => ({ ...seen(), unproven }) as Input;
const spent = (timer: 'stop-timeout' | 'stop-verify'): Input => ({ ...INPUTS.elapsed, timer });

/** Returns the signals, with pids, that a stopping service gets at each of these inputs. */
const sent = (...inputs: readonly Input[]): readonly string[] => {
  let service: Service = { ...serviceIn('up'), wanted: 'down' };
  return [INPUTS.release, ...inputs].map((input) => {
    const moved = transition(service, input, CONTEXT);
    service = moved.service;
    return moved.effects.map(shown).join(' ');
  });
};

const shown = (effect: Effect): string =>
  effect.type === 'signal' ? [effect.signal, ...effect.targets.map(({ pid }) => pid)].join(' ') : effect.type;

describe('the signals of a stop', () => {
  it('a stop signals every process of the first scan once', () => {
    expect(sent(seen(PROCESS, CHILD), seen(PROCESS, CHILD), seen(PROCESS))).toEqual([
      '',
      'SIGTERM 300 301',
      '',
      '',
    ]);
  });

  it('a stop does not signal processes created while the leader lives, which may be cleaning up', () => {
    expect(sent(seen(PROCESS), seen(PROCESS, LATER))).toEqual(['', 'SIGTERM 300', '']);
  });

  it('a stop signals later processes once the leader has exited, whichever event comes first', () => {
    expect(sent(seen(PROCESS), seen(PROCESS, LATER), INPUTS.exited)).toEqual([
      '',
      'SIGTERM 300',
      '',
      'SIGTERM 302',
    ]);
    expect(sent(seen(PROCESS), INPUTS.exited, seen(LATER))).toEqual(['', 'SIGTERM 300', '', 'SIGTERM 302']);
  });

  it('a stop kills all remaining processes after stop_timeout, and those found later', () => {
    expect(sent(seen(PROCESS, CHILD), spent('stop-timeout'), seen(LATER))).toEqual([
      '',
      'SIGTERM 300 301',
      'SIGKILL 300 301',
      'SIGKILL 302',
    ]);
  });

  it('a stop kills the leader also if no scan was possible in time', () => {
    expect(sent(spent('stop-timeout'))).toEqual(['', 'SIGKILL 300']);
  });

  it('a stop is unverified after stop_verify_secs more, and keeps scanning', () => {
    expect(sent(seen(PROCESS), spent('stop-timeout'), spent('stop-verify'), seen(PROCESS))).toEqual([
      '',
      'SIGTERM 300',
      'SIGKILL 300',
      '',
      'SIGKILL 300',
    ]);
  });
});

describe('a stop whose cgroup still has a member', () => {
  it('a stop never signals the remaining cgroup member, even after its timeout', () => {
    expect(
      sent(
        seen(PROCESS),
        { ...INPUTS.exited, run: RUN },
        onlyInCgroup(LATER),
        spent('stop-timeout'),
        spent('stop-verify'),
        onlyInCgroup(LATER),
      ),
    ).toEqual(['', 'SIGTERM 300', '', '', 'SIGKILL 300', '', '']);
  });

  it('a stop stays undecided and names the cgroup member until it is gone', () => {
    const stops = [seen(PROCESS), { ...INPUTS.exited, run: RUN }, onlyInCgroup(LATER)];
    const start: Service = { ...serviceIn('up'), wanted: 'down' };
    const undecided = [INPUTS.release, ...stops].reduce(
      (service, input) => transition(service, input, CONTEXT).service,
      start,
    );
    expect(undecided.actual).toMatchObject({ tag: 'stopping', survivors: [LATER], unproven: true });
    expect(transition(undecided, seen(), CONTEXT).service.actual.tag).toBe('down');
  });
});

describe('processes that remain after SIGKILL', () => {
  it('an unverified stop reports how long ago SIGKILL was sent', () => {
    const late = { ...CONTEXT, at: plus(CONTEXT.at, ms(7000)) };
    const killed = transition(serviceIn('stopping'), spent('stop-timeout'), CONTEXT).service;
    const unverified = transition(killed, spent('stop-verify'), late).service;
    expect(unverified.actual).toMatchObject({ phase: 'unverified', since: BEGAN, phaseSince: CONTEXT.at });
  });
});

describe('the end of a process', () => {
  const at = (millis: number): typeof CONTEXT => ({ ...CONTEXT, at: plus(CONTEXT.at, ms(millis)) });
  const inTurn = (...news: readonly (readonly [Input, number])[]): Service =>
    news.reduce<Service>(
      (service, [input, millis]) => transition(service, input, at(millis)).service,
      serviceIn('up'),
    );

  it('the end of a process has one time, although its run ends later', () => {
    const { lastExit, lastFailure } = inTurn([INPUTS.exited, 0], [seen(), 30]);
    expect(lastExit?.at).toBe(CONTEXT.at);
    expect(lastFailure).toMatchObject({ at: at(30).at, exitedAt: CONTEXT.at });
  });

  it('the end of a process that is reported last has its own time, not that of the previous run', () => {
    const unhealthy = {
      ...serviceIn('stopping'),
      lastExit: { status: { tag: 'unknown' }, at: BEGAN },
    } as const;
    const gone = transition(unhealthy, seen(), at(10)).service;
    const { lastExit, lastFailure } = transition(gone, INPUTS.exited, at(40)).service;
    expect(lastExit.at).toBe(at(40).at);
    expect(lastFailure?.exitedAt ?? at(40).at).toBe(at(40).at);
  });
});

describe('stop_command', () => {
  const commanded = (): Service => ({
    ...serviceIn('up', { stopCommand: 'make stop', stopTimeout: ms(8_000) }),
    wanted: 'down',
  });
  const after = (...inputs: readonly Input[]): ReturnType<typeof transition<Service>> =>
    inputs.reduce<ReturnType<typeof transition<Service>>>(
      ({ service }, input) => transition(service, input, CONTEXT),
      { service: commanded(), effects: [] },
    );
  const ended = (outcome: CommandOutcome): Input => ({
    ...INPUTS['command-ended'],
    purpose: 'stop',
    outcome,
  });

  it('stop_command may take three quarters of stop_timeout and knows the main process', () => {
    const [watch] = watchesOf(after(INPUTS.release).service, CONTEXT.settings).filter(
      ({ type }) => type === 'command',
    );
    expect(watch).toMatchObject({ purpose: 'stop', command: 'make stop', budget: 6_000, process: PROCESS });
  });

  it('a stop_command that fails is a warning in history, log and events, and the signal follows', () => {
    const before = after(INPUTS.release, seen(PROCESS, CHILD), seen(PROCESS, LATER));
    expect(before.effects).toEqual([]);
    const input = ended({ tag: 'over-budget' });
    const { service, effects } = transition(before.service, input, CONTEXT);
    const error = { code: 'ERR0122', service: idOf('web'), budget: 6_000 };
    expect(effects).toMatchObject([
      { type: 'note', level: 'warn', facts: { tag: 'command-failed', error } },
      { type: 'signal', signal: 'SIGTERM', targets: [PROCESS, LATER] },
    ]);
    expect(service.incidents).toMatchObject([{ during: 'stopping', facts: { error } }]);
    const move = { before: before.service, after: service, input };
    expect(warningEvents(move, { at: NOW, byId: () => undefined })).toMatchObject([
      { kind: 'warning', service: 'web', code: 'ERR0122', from: 'stopping', to: 'stopping' },
    ]);
  });

  it('a stop is over only when its stop_command has ended too', () => {
    const gone = after(INPUTS.release, seen(PROCESS), INPUTS.exited, seen());
    expect(gone.service.actual.tag).toBe('stopping');
    const well = ended({ tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] });
    const { service, effects } = transition(gone.service, well, CONTEXT);
    expect(service.actual.tag).toBe('down');
    expect(effects).toEqual([]);
  });
});
