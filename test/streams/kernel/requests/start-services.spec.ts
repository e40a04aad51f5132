import { describe, expect, it } from 'vitest';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const running = (): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'));
  sup.up('db', 'web');
  sup.drain();
  return sup;
};

describe('a start', () => {
  it('a start by name starts the service and its dependencies only', () => {
    const sup = kernel();
    const specs = [specOf('web', { dependsOn: needs('db') }), specOf('db'), specOf('mail')];
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml', services: ['web'] } });
    sup.load(request, manifestOf(...specs));
    expect(sup.tags('db', 'web', 'mail')).toEqual(['spawning', 'waiting', 'down']);
  });

  it('a start of nothing is done at once', () => {
    const sup = kernel();
    const request = sup.ask({ type: 'start', selection: {} });
    sup.load(request, manifestOf());
    expect(sup.replies()).toEqual([{ ok: true, done: { outcomes: [], warnings: [] } }]);
  });

  it('a start reports its services and the warnings of the load', () => {
    const sup = kernel();
    const warning = {
      code: 'ERR0705',
      severity: 'warning',
      path: 'services.web.user',
      message: 'no effect',
    } as const;
    const ofFile = { ...warning, path: '', message: '"/x" cannot be read' } as const;
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } });
    sup.load(request, manifestOf(specOf('web')), [warning, ofFile]);
    sup.up('web');
    expect(sup.replies()).toEqual([
      {
        ok: true,
        done: {
          outcomes: [{ service: idOf('web'), what: 'started' }],
          warnings: ['ERR0705 services.web.user: no effect', 'ERR0705 "/x" cannot be read'],
        },
      },
    ]);
  });

  it('a start of an undeclared service is refused', () => {
    const sup = running();
    const request = sup.ask({ type: 'start', selection: { services: ['wbe'] } });
    sup.load(request, manifestOf(specOf('web', { dependsOn: needs('db') }), specOf('db')));
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0202', name: 'wbe' } }]);
  });

  it('a start removes services that are down and no longer declared, with their project', () => {
    const sup = running();
    sup.ask({ type: 'stop', selection: {} });
    sup.exit('web', 143);
    sup.exit('db', 143);
    sup.drain();
    sup.start(specOf('db'));
    expect(() => sup.service('web')).toThrow('no shop/web');
    expect(sup.tag('db')).toBe('spawning');
    sup.up('db');
    expect(sup.replies()).toMatchObject([{ ok: true, done: { outcomes: [{ service: idOf('db') }] } }]);
    expect(Object.keys(sup.state().projects)).toEqual(['shop']);
  });

  it('a start does not touch running services that are no longer declared, and names them', () => {
    const sup = running();
    sup.start(specOf('db'));
    expect(sup.tags('db', 'web')).toEqual(['up', 'up']);
    expect(sup.replies()).toMatchObject([
      {
        ok: true,
        done: {
          outcomes: [{ service: idOf('db'), what: 'running' }],
          warnings: ['still running, no longer declared: shop/web; `sup apply` stops it'],
        },
      },
    ]);
  });
});

describe('a start with other profiles', () => {
  it('a start names the running services whose profiles are not chosen any more', () => {
    const sup = running();
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } });
    const profiles = [{ service: idOf('web'), profiles: ['dev'] }];
    sup.load(request, { ...manifestOf(specOf('db')), profiles });
    const warnings = ['still running, of a profile that is not chosen: shop/web; `sup apply` stops it'];
    expect(sup.replies()).toMatchObject([{ ok: true, done: { warnings } }]);
  });
});

describe('a start with a dependency that is not required', () => {
  const soft = { dependsOn: [{ ...needs('db')[0]!, required: false }] } as const;
  const specs = [specOf('web', soft), specOf('db', { restartPolicy: 'never' })];

  it('a start by name succeeds if the dependency fails, with a warning', () => {
    const sup = kernel();
    const selection = { manifest: '/shop/sup.yaml', services: ['web'] };
    sup.load(sup.ask({ type: 'start', selection }), manifestOf(...specs));
    sup.spawned('db');
    sup.exit('db', 3);
    sup.up('web');
    expect(sup.replies()).toMatchObject([
      {
        ok: true,
        done: {
          outcomes: [{ service: idOf('web'), what: 'started' }],
          warnings: [expect.stringContaining('shop/db did not come up (ERR0102)')],
        },
      },
    ]);
  });

  it('a start that selects the dependency too fails with it', () => {
    const sup = kernel();
    sup.load(sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } }), manifestOf(...specs));
    sup.spawned('db');
    sup.exit('db', 3);
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0102', service: idOf('db') } }]);
  });

  it('a dependency that another selected service requires fails the start', () => {
    const sup = kernel();
    const selection = { manifest: '/shop/sup.yaml', services: ['web', 'api'] };
    const all = manifestOf(...specs, specOf('api', { dependsOn: needs('db') }));
    sup.load(sup.ask({ type: 'start', selection }), all);
    sup.spawned('db');
    sup.exit('db', 3);
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0102', service: idOf('db') } }]);
  });
});

describe('a start that fails', () => {
  const never = { restartPolicy: 'never' } as const;

  it('a failed start names services that were ready and failed, beside those that did not start', () => {
    const sup = kernel();
    sup.start(specOf('good'), specOf('early', never), specOf('late', never));
    sup.up('good', 'early');
    sup.exit('early', 4);
    sup.spawned('late');
    sup.exit('late', 5);
    expect(sup.replies()).toMatchObject([
      {
        ok: false,
        error: {
          code: 'ERR0106',
          failures: [
            { code: 'ERR0102', service: idOf('late') },
            { code: 'ERR0101', service: idOf('early') },
          ],
          total: 3,
        },
      },
    ]);
  });

  it('a failed start does not name services that a command stopped meanwhile', () => {
    const sup = kernel();
    sup.start(specOf('early'), specOf('late', never));
    sup.up('early');
    sup.ask({ type: 'stop', selection: { services: ['early'] } });
    sup.exit('early', 0);
    sup.spawned('late');
    sup.drain();
    sup.exit('late', 5);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0102', service: idOf('late') } }]);
  });
});

describe('a start of a job by name', () => {
  const db = specOf('db', { restartPolicy: 'never' });
  const cron = { expression: '0 0 * * *', timezone: 'utc' } as const;
  const job = specOf('job', { kind: 'cron', cron, dependsOn: needs('db') });
  const began = (): Kernel => {
    const sup = kernel();
    sup.start(db, job);
    sup.up('db');
    sup.drain();
    const selection = { services: ['job'] };
    sup.load(sup.ask({ type: 'start', selection }), manifestOf(db, job));
    sup.spawned('job');
    return sup;
  };

  it('a start of a job by name reports the dependency that failed during its run', () => {
    const sup = began();
    sup.exit('db', 1);
    sup.exit('job', 143);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0101', service: idOf('db') } }]);
  });

  it('a start of a job by name reports that a restart of everything canceled its run', () => {
    const sup = began();
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(db, job));
    sup.exit('db', 143);
    sup.up('db');
    sup.exit('job', 143);
    expect(sup.replies()[0]).toMatchObject({ ok: false, error: { code: 'ERR0117' } });
  });
});
