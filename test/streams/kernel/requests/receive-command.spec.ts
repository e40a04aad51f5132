import { describe, expect, it } from 'vitest';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, needs, specOf } from '../../../support/spec.ts';

const running = (): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'));
  sup.up('db', 'web');
  sup.drain();
  return sup;
};
const signal = (sup: Kernel, name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void =>
  sup.post({ type: 'signalled', signal: name });

describe('a supervisor that is ending', () => {
  it('a supervisor that is ending accepts only a shutdown', () => {
    const sup = running();
    signal(sup, 'SIGTERM');
    sup.ask({ type: 'stop', selection: {} });
    sup.ask({ type: 'apply', selection: {} });
    expect(sup.replies()).toMatchObject([{ error: { code: 'ERR0206' } }, { error: { code: 'ERR0206' } }]);
  });
});

describe('SIGHUP', () => {
  it('SIGHUP reads every registered manifest and needs no answer', () => {
    const sup = running();
    signal(sup, 'SIGHUP');
    expect(Object.values(sup.state().requests)).toMatchObject([
      { command: { type: 'apply', selection: {} }, phase: 'loading', paths: ['/shop/sup.yaml'] },
    ]);
  });
});

describe('an action reported to the supervisor', () => {
  it('a reported action is added to the history, changes no state and is answered at once', () => {
    const sup = running();
    const act = { tag: 'signal', by: 'kill', signal: 'SIGHUP' } as const;
    sup.ask({
      type: 'acted',
      acts: [
        { service: idOf('web'), act },
        { service: idOf('nobody'), act },
      ],
    });
    expect(sup.replies()).toMatchObject([{ ok: true, done: { outcomes: [] } }]);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, incidents: [{ facts: { act } }] });
    expect(sup.service('db').incidents).toBeUndefined();
  });
});
