import { describe, expect, it } from 'vitest';
import type { Manifest, Problem } from '../../../../src/streams/domain/declared/manifest.ts';
import type { Command } from '../../../../src/streams/domain/command.ts';
import { requestId } from '../../../../src/streams/domain/ids.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const running = (): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'), specOf('old'));
  sup.up('db', 'web', 'old');
  sup.drain();
  return sup;
};
const ask = (sup: Kernel, command: Command, manifest: Manifest): void => sup.load(sup.ask(command), manifest);
const apply: Command = { type: 'apply', selection: {} };
const restart = (service?: string): Command => ({
  type: 'restart',
  selection: service === undefined ? {} : { services: [service] },
});
const web = specOf('web', { dependsOn: needs('db') });
const newer = specOf('web', { dependsOn: needs('db'), digest: 'newer' });
const broken: Problem = { code: 'ERR0210', severity: 'error', path: 'services.web.backoff', message: 'no' };

describe('an apply', () => {
  it('leaves alone what has not changed', () => {
    const sup = running();
    ask(sup, apply, manifestOf(web, specOf('db'), specOf('old')));
    expect(sup.tags('web', 'db', 'old')).toEqual(['up', 'up', 'up']);
    expect(sup.drain().map(({ type }) => type)).toEqual(['reply']);
  });

  it('stops what is gone, then starts what is new and bounces what has changed', () => {
    const sup = running();
    ask(sup, apply, manifestOf(newer, specOf('db'), specOf('mail')));
    expect(sup.tags('mail', 'web', 'db', 'old')).toEqual(['down', 'up', 'up', 'stopping']);
    sup.exit('old', 143);
    expect(sup.tags('mail', 'web')).toEqual(['spawning', 'up']);
    expect(() => sup.service('old')).toThrow('no shop/old');
    sup.up('mail');
    sup.exit('web', 143);
    sup.up('web');
    expect(sup.service('web').spec.digest).toBe('newer');
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });

  it('leaves down who was stopped, with the newer declaration for later', () => {
    const sup = running();
    sup.ask({ type: 'stop', selection: { services: ['web'] } });
    sup.exit('web', 143);
    ask(sup, apply, manifestOf(newer, specOf('db'), specOf('old')));
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'down' }, revised: newer });
  });

  it('brings about what a start has only registered', () => {
    const sup = running();
    sup.start(newer, specOf('db'), specOf('old'));
    ask(sup, apply, manifestOf(newer, specOf('db'), specOf('old')));
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
  });

  it('of an invalid manifest touches nothing', () => {
    const sup = running();
    const before = sup.state();
    sup.load(sup.ask(apply), manifestOf(newer), [broken]);
    expect(sup.tags('web', 'db', 'old')).toEqual(['up', 'up', 'up']);
    expect(sup.state().roster).toBe(before.roster);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0301', problems: [broken] } }]);
  });
});

describe('a service that is declared again while its removal stops it', () => {
  const stack = manifestOf(web, specOf('db'), specOf('old'));
  const without = manifestOf(web, specOf('db'));
  const removing = (): Kernel => {
    const sup = running();
    ask(sup, apply, without);
    return sup;
  };
  const lastReply = (sup: Kernel): unknown => sup.replies().at(-1);
  const upAgain = (sup: Kernel): void => {
    sup.exit('old', 143);
    expect(sup.service('old')).toMatchObject({ wanted: 'up', leaving: false, resume: false, runs: 2 });
    sup.up('old');
    expect(sup.tag('old')).toBe('up');
  };

  it('comes up again, which the apply waits for and the removal is told', () => {
    const sup = removing();
    ask(sup, apply, stack);
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { failures: [{ code: 'ERR0117', service: idOf('old') }] } },
    ]);
    upAgain(sup);
    expect(lastReply(sup)).toMatchObject({ ok: true, done: { outcomes: [{ service: idOf('old') }] } });
  });

  it.each<[string, Command]>([
    ['a restart', restart('db')],
    ['a start', { type: 'start', selection: { services: ['db'] } }],
  ])('comes up again when %s of another one finds it declared', (_, command) => {
    const sup = removing();
    ask(sup, command, stack);
    upAgain(sup);
  });

  it('is planned to be added, and a plan does nothing', () => {
    const sup = removing();
    const before = sup.state();
    ask(sup, { type: 'plan', selection: {} }, stack);
    expect(lastReply(sup)).toMatchObject({
      done: { plan: { changes: [{ service: idOf('old'), action: 'add' }] } },
    });
    expect(sup.state()).toEqual(before);
  });

  it('stays down when it was stopped by hand, before its removal or since', () => {
    const before = running();
    before.ask({ type: 'stop', selection: { services: ['old'] } });
    ask(before, apply, without);
    const since = removing();
    since.ask({ type: 'stop', selection: { services: ['old'] } });
    for (const sup of [before, since]) {
      ask(sup, apply, stack);
      sup.exit('old', 143);
      expect(sup.service('old')).toMatchObject({ wanted: 'down', leaving: false, actual: { tag: 'down' } });
    }
  });

  it('goes on as it is when its stop has not begun', () => {
    const sup = running();
    ask(sup, apply, manifestOf(specOf('old')));
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
    ask(sup, apply, stack);
    sup.exit('web', 143);
    sup.up('web');
    expect(sup.service('db')).toMatchObject({ wanted: 'up', runs: 1, actual: { tag: 'up' } });
    expect(lastReply(sup)).toMatchObject({ ok: true });
  });
});

describe('a manifest that does not load', () => {
  it('is kept with its problems, which status warns of, until it loads again', () => {
    const sup = running();
    const { path } = manifestOf(web);
    const request = sup.ask(apply);
    sup.post({
      type: 'manifests-loaded',
      request: request as never,
      loads: [{ path, problems: [broken] }],
    });
    expect(sup.state().manifests).toEqual({ [path]: [broken] });
    ask(sup, apply, manifestOf(web, specOf('db'), specOf('old')));
    expect(sup.state().manifests).toEqual({ [path]: [] });
  });
});

describe('a restart', () => {
  it('bounces one at a time, dependencies first, once what is removed is gone', () => {
    const sup = running();
    ask(sup, restart(), manifestOf(web, specOf('db')));
    expect(sup.tags('web', 'db', 'old')).toEqual(['up', 'up', 'stopping']);
    sup.exit('old', 143);
    expect(sup.tags('web', 'db')).toEqual(['up', 'stopping']);
    sup.exit('db', 143);
    sup.up('db');
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
  });

  it('of one service leaves the removal of others for later', () => {
    const sup = running();
    ask(sup, restart('web'), manifestOf(web, specOf('db')));
    expect(sup.tags('web', 'db', 'old')).toEqual(['stopping', 'up', 'up']);
  });

  it('takes up a newer declaration', () => {
    const sup = running();
    ask(sup, restart('web'), manifestOf(newer, specOf('db'), specOf('old')));
    expect(sup.service('web')).toMatchObject({ revised: newer, spec: { digest: web.digest } });
    sup.exit('web', 143);
    expect(sup.service('web')).toMatchObject({ spec: { digest: 'newer' }, actual: { tag: 'spawning' } });
    expect(sup.service('web').revised).toBeUndefined();
  });
});

describe('a restart with dependents', () => {
  it('takes those along who depend on what is named', () => {
    const sup = running();
    const command: Command = { type: 'restart', selection: { services: ['db'] }, withDependents: true };
    ask(sup, command, manifestOf(web, specOf('db'), specOf('old')));
    sup.exit('db', 143);
    sup.up('db');
    expect(sup.tags('web', 'db', 'old')).toEqual(['stopping', 'up', 'up']);
  });
});

describe('a plan', () => {
  const plan: Command = { type: 'plan', selection: {} };

  it('tells what an apply would do, in its order, and does nothing', () => {
    const sup = running();
    const before = sup.state();
    ask(sup, plan, manifestOf(newer, specOf('db'), specOf('mail')));
    const [reply] = sup.replies().slice(-1);
    expect(reply).toMatchObject({
      ok: true,
      done: {
        plan: {
          changes: [
            { service: idOf('old'), action: 'remove' },
            { service: idOf('mail'), action: 'add', down: 0 },
            { service: idOf('web'), action: 'change', strategy: 'immediate' },
          ],
        },
      },
    });
    expect(sup.state()).toEqual(before);
  });

  it('of what is as it is declared is empty', () => {
    const sup = running();
    ask(sup, plan, manifestOf(web, specOf('db'), specOf('old')));
    expect(sup.replies().at(-1)).toMatchObject({ ok: true, done: { plan: { changes: [] } } });
  });
});

describe('a start', () => {
  it('takes up what is new and leaves what runs as it is, with its newer declaration for later', () => {
    const sup = running();
    sup.start(newer, specOf('db'), specOf('mail'));
    expect(sup.tags('web', 'db', 'mail', 'old')).toEqual(['up', 'up', 'spawning', 'up']);
    expect(sup.service('web').revised).toEqual(newer);
  });

  it('of a manifest that does not load is refused with its first problem and all the others', () => {
    const sup = running();
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } });
    sup.load(request, manifestOf(newer), [broken]);
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { code: 'ERR0210', manifest: '/shop/sup.yaml', problems: [broken] } },
    ]);
    expect(sup.service('web').revised).toBeUndefined();
  });

  it('is told with its file where nobody named it, and what was declared before is started', () => {
    const sup = kernel();
    sup.start(specOf('web'));
    sup.up('web');
    sup.ask({ type: 'stop', selection: {} });
    sup.exit('web', 143);
    sup.drain();
    const request = sup.ask({ type: 'start', selection: { services: ['web'] } });
    const path = '/shop/sup.yaml';
    sup.post({
      type: 'manifests-loaded',
      request: requestId(request),
      loads: [{ path, problems: [broken] }],
    });
    sup.up('web');
    const warning = `${path} is invalid; its services keep its last valid version: ERR0210 services.web.backoff: no (to see what is wrong: sup validate -c ${path}; to drop it: sup forget ${path})`;
    expect(sup.replies().at(-1)).toMatchObject({ ok: true, done: { warnings: [warning] } });
    expect(sup.state().manifests).toEqual({ [path]: [broken] });
  });

  it('of a second manifest that claims the same project is refused, naming both', () => {
    const sup = running();
    const other = manifestOf(specOf('web', { manifest: '/other.yaml' }));
    const projects = other.projects.map((project) => ({ ...project, manifest: '/other.yaml' }));
    const request = sup.ask({ type: 'start', selection: { manifest: '/other.yaml' } });
    sup.load(request, { ...other, path: '/other.yaml', projects });
    const [reply] = sup.replies();
    expect(reply).toMatchObject({ ok: false, error: { code: 'ERR0218' } });
    expect(JSON.stringify(reply)).toMatch(/\/other\.yaml and already by \/shop\/sup\.yaml/);
  });

  it('answers nobody twice when its manifest is brought twice', () => {
    const sup = kernel();
    const request = sup.start(specOf('web'));
    sup.load(request, manifestOf(specOf('web'), specOf('more')));
    expect(() => sup.service('more')).toThrow(idOf('more'));
  });
});
