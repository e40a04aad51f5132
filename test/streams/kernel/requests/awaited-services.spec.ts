import { describe, expect, it } from 'vitest';
import { requestId } from '../../../../src/streams/domain/ids.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const web = specOf('web', { dependsOn: needs('db') });
const stack = manifestOf(web, specOf('db', { restartPolicy: 'never' }));

describe('a request that waits for a service', () => {
  it('a request is notified by a service once and then forgotten by it', () => {
    const sup = kernel();
    sup.start(specOf('db'));
    sup.up('db');
    expect(sup.service('db').awaitedBy).toEqual([]);
    sup.exit('db', 1);
    expect(sup.replies()).toHaveLength(1);
  });

  it('a request learns at once that a dependency of a waiting service has failed', () => {
    const sup = kernel();
    sup.load(sup.ask({ type: 'start', selection: { manifest: stack.path, services: ['web'] } }), stack);
    sup.spawned('db');
    sup.exit('db', 1);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0102', service: idOf('db') } }]);
    expect(sup.service('web').actual).toEqual({ tag: 'waiting', for: 'dependencies' });
  });

  it('a request learns at once that a dependency of a waiting candidate must stop', () => {
    const sup = kernel();
    const rolling = specOf('web', {
      dependsOn: needs('db'),
      deployment: { strategy: 'rolling', gracePeriod: ms(0) },
    });
    sup.start(rolling, specOf('db'));
    sup.up('db', 'web');
    sup.ask({ type: 'stop', selection: { services: ['db'] } });
    sup.exit('db', 143);
    sup.start(rolling, specOf('db'));
    const apply = sup.ask({ type: 'apply', selection: {} });
    sup.load(apply, manifestOf({ ...rolling, digest: 'newest' }, specOf('db')));
    expect(sup.service('web').rollout?.other.actual.tag).toBe('waiting');
    sup.drain();
    sup.ask({ type: 'stop', selection: { services: ['db'] } });
    expect(sup.replies()).toContainEqual(
      expect.objectContaining({
        ok: false,
        error: {
          code: 'ERR0302',
          failures: [{ code: 'ERR0109', service: idOf('web'), dependency: idOf('db') }],
        },
      }),
    );
  });

  it('several requests can wait for one service, each with its own answer', () => {
    const sup = kernel();
    sup.start(specOf('web'));
    sup.start(specOf('web'));
    sup.ask({ type: 'stop', selection: {} });
    expect(sup.service('web').awaitedBy).toHaveLength(3);
    sup.spawned('web');
    sup.exit('web', 143);
    expect(sup.replies()).toMatchObject([{ ok: false }, { ok: false }, { ok: true }]);
  });
});

describe('a restart of several services', () => {
  it('a restart continues with the next service after a failure or a timeout, and names both', () => {
    const sup = kernel();
    const specs = ['a', 'b', 'c'].map((name) => specOf(name, { restartPolicy: 'never' }));
    sup.start(...specs);
    sup.up('a', 'b', 'c');
    const request = sup.ask({ type: 'restart', selection: {} });
    sup.load(request, manifestOf(...specs));
    sup.exit('a', 143);
    sup.spawned('a');
    sup.exit('a', 1);
    expect(sup.tags('a', 'b', 'c')).toEqual(['down', 'stopping', 'up']);
    sup.post({ type: 'request-expired', request: requestId(request) });
    expect(sup.tags('b', 'c')).toEqual(['stopping', 'stopping']);
    sup.exit('c', 143);
    sup.up('c');
    expect(sup.replies().at(-1)).toMatchObject({
      error: {
        code: 'ERR0302',
        failures: [
          { code: 'ERR0102', service: idOf('a') },
          { code: 'ERR0107', service: idOf('b') },
        ],
      },
    });
  });

  it('a restart waits until a removed service is gone', () => {
    const sup = kernel();
    sup.start(specOf('web'), specOf('old'));
    sup.up('web', 'old');
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(specOf('web')));
    expect(sup.tag('web')).toBe('up');
    sup.exit('old', 143);
    sup.exit('web', 143);
    expect(sup.replies()).toHaveLength(1);
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it('a restart that waits too long for a removal blames that, not the last service of its queue', () => {
    const sup = kernel();
    sup.start(specOf('web'), specOf('old'));
    sup.up('web', 'old');
    const request = sup.ask({ type: 'restart', selection: {} });
    sup.load(request, manifestOf(specOf('web')));
    sup.exit('web', 143);
    sup.up('web');
    sup.post({ type: 'request-expired', request: requestId(request) });
    expect(sup.replies().at(-1)).toMatchObject({
      error: { code: 'ERR0302', failures: [{ code: 'ERR0107', service: idOf('old') }] },
    });
  });
});
