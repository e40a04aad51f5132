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
  it('an apply does not touch unchanged services', () => {
    const sup = running();
    ask(sup, apply, manifestOf(web, specOf('db'), specOf('old')));
    expect(sup.tags('web', 'db', 'old')).toEqual(['up', 'up', 'up']);
    expect(sup.drain().map(({ type }) => type)).toEqual(['reply']);
  });

  it('an apply stops removed services, then starts new and restarts changed ones', () => {
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

  it('an apply leaves stopped services down and keeps their newer declaration', () => {
    const sup = running();
    sup.ask({ type: 'stop', selection: { services: ['web'] } });
    sup.exit('web', 143);
    ask(sup, apply, manifestOf(newer, specOf('db'), specOf('old')));
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'down' }, revised: newer });
  });

  it('an apply carries out what a start has only registered', () => {
    const sup = running();
    sup.start(newer, specOf('db'), specOf('old'));
    ask(sup, apply, manifestOf(newer, specOf('db'), specOf('old')));
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
  });

  it('an apply of an invalid manifest changes nothing', () => {
    const sup = running();
    const before = sup.state();
    sup.load(sup.ask(apply), manifestOf(newer), [broken]);
    expect(sup.tags('web', 'db', 'old')).toEqual(['up', 'up', 'up']);
    expect(sup.state().serviceTable).toBe(before.serviceTable);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0301', problems: [broken] } }]);
  });
});

describe('a service that is declared again during its removal', () => {
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

  it('a service declared again during its removal starts again: apply waits for it, the removal is told', () => {
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
  ])(
    'a service declared again during its removal starts again when %s of another service finds it',
    (_, command) => {
      const sup = removing();
      ask(sup, command, stack);
      upAgain(sup);
    },
  );

  it('a service declared again during its removal is planned as added, and a plan changes nothing', () => {
    const sup = removing();
    const before = sup.state();
    ask(sup, { type: 'plan', selection: {} }, stack);
    expect(lastReply(sup)).toMatchObject({
      done: { plan: { changes: [{ service: idOf('old'), action: 'add' }] } },
    });
    expect(sup.state()).toEqual(before);
  });

  it('a service declared again during its removal stays down if a user stopped it before or since', () => {
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

  it('a service declared again before its stop has begun keeps running', () => {
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
  it('a manifest that does not load is kept with its problems, which status reports until it loads', () => {
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
  it('a restart replaces one run at a time, dependencies first, after removals', () => {
    const sup = running();
    ask(sup, restart(), manifestOf(web, specOf('db')));
    expect(sup.tags('web', 'db', 'old')).toEqual(['up', 'up', 'stopping']);
    sup.exit('old', 143);
    expect(sup.tags('web', 'db')).toEqual(['up', 'stopping']);
    sup.exit('db', 143);
    sup.up('db');
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
  });

  it('a restart of one service leaves removals of others for later', () => {
    const sup = running();
    ask(sup, restart('web'), manifestOf(web, specOf('db')));
    expect(sup.tags('web', 'db', 'old')).toEqual(['stopping', 'up', 'up']);
  });

  it('a restart uses a newer declaration', () => {
    const sup = running();
    ask(sup, restart('web'), manifestOf(newer, specOf('db'), specOf('old')));
    expect(sup.service('web')).toMatchObject({ revised: newer, spec: { digest: web.digest } });
    sup.exit('web', 143);
    expect(sup.service('web')).toMatchObject({ spec: { digest: 'newer' }, actual: { tag: 'spawning' } });
    expect(sup.service('web').revised).toBeUndefined();
  });
});

describe('a restart with dependents', () => {
  it('a restart with dependents includes the dependents of named services', () => {
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

  it('a plan lists what an apply would do in its order, and does nothing', () => {
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

  it('a plan without changes is empty', () => {
    const sup = running();
    ask(sup, plan, manifestOf(web, specOf('db'), specOf('old')));
    expect(sup.replies().at(-1)).toMatchObject({ ok: true, done: { plan: { changes: [] } } });
  });
});

describe('a start', () => {
  it('a start adds new services, keeps running ones and stores their newer declaration', () => {
    const sup = running();
    sup.start(newer, specOf('db'), specOf('mail'));
    expect(sup.tags('web', 'db', 'mail', 'old')).toEqual(['up', 'up', 'spawning', 'up']);
    expect(sup.service('web').revised).toEqual(newer);
  });

  it('a start of a manifest that does not load is refused with all its problems', () => {
    const sup = running();
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } });
    sup.load(request, manifestOf(newer), [broken]);
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { code: 'ERR0210', manifest: '/shop/sup.yaml', problems: [broken] } },
    ]);
    expect(sup.service('web').revised).toBeUndefined();
  });

  it('a start that names no manifest reports a broken one with its path and starts the previous declaration', () => {
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

  it('a start of a second manifest that claims the same project is refused, naming both', () => {
    const sup = running();
    const other = manifestOf(specOf('web', { manifest: '/other.yaml' }));
    const projects = other.projects.map((project) => ({ ...project, manifest: '/other.yaml' }));
    const request = sup.ask({ type: 'start', selection: { manifest: '/other.yaml' } });
    sup.load(request, { ...other, path: '/other.yaml', projects });
    const [reply] = sup.replies();
    expect(reply).toMatchObject({ ok: false, error: { code: 'ERR0218' } });
    expect(JSON.stringify(reply)).toMatch(/\/other\.yaml and already by \/shop\/sup\.yaml/);
  });

  it('a start that lists its manifest twice is answered once', () => {
    const sup = kernel();
    const request = sup.start(specOf('web'));
    sup.load(request, manifestOf(specOf('web'), specOf('more')));
    expect(() => sup.service('more')).toThrow(idOf('more'));
  });
});
