import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../../src/streams/domain/command.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';

const crash = { code: 'ERR0101', service: idOf('web'), status: { tag: 'code', code: 1 } };

/** `web` is ready, and the command still waits for `db`. */
const halfway = (web: Parameters<typeof specOf>[1] = {}): Kernel => {
  const sup = kernel();
  sup.start(specOf('db'), specOf('web', web));
  sup.up('web');
  return sup;
};

/** Ends the backoff of `web`. */
const again = (sup: Kernel): void =>
  sup.post({ type: 'elapsed', service: idOf('web'), run: runId(sup.service('web').runs), timer: 'backoff' });

const last = (sup: Kernel): Reply | undefined => sup.replies().at(-1);

describe('a service that was ready and fails before all others are ready', () => {
  it.each([
    ['is in backoff', {}],
    ['is down', { restartPolicy: 'never' }],
    ['has its breaker open', { maxRestarts: 0 }],
  ] as const)('a start fails with the error of a service that was ready and then %s', (_, web) => {
    const sup = halfway(web);
    sup.exit('web', 1);
    sup.up('db');
    expect(last(sup)).toMatchObject({ ok: false, error: crash });
  });

  it('a start fails if a service that was ready is starting again', () => {
    const sup = halfway();
    sup.exit('web', 1);
    sup.pass(1_000);
    again(sup);
    sup.spawned('web');
    expect(sup.tag('web')).toBe('starting');
    sup.up('db');
    expect(last(sup)).toMatchObject({ ok: false, error: crash });
  });

  it('a start succeeds if a service that failed is ready again', () => {
    const sup = halfway();
    sup.exit('web', 1);
    sup.pass(1_000);
    again(sup);
    sup.up('web', 'db');
    expect(last(sup)).toMatchObject({ ok: true });
  });

  it('a start succeeds if a policy restarts a service that was ready and exited with 0', () => {
    const sup = halfway({ restartPolicy: 'always' });
    sup.exit('web', 0);
    sup.up('db');
    expect(last(sup)).toMatchObject({ ok: true });
  });

  it('a restart fails with the error of a service that was ready and then failed', () => {
    const sup = kernel();
    const two = [specOf('web'), specOf('db')];
    sup.start(...two);
    sup.up('web', 'db');
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(...two));
    sup.exit('web', 143);
    sup.up('web');
    sup.exit('web', 1);
    sup.exit('db', 143);
    sup.up('db');
    expect(last(sup)).toMatchObject({ ok: false, error: { code: 'ERR0302', failures: [crash] } });
  });
});
