import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filter, map, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/cli/client/client.ts';
import { replies } from '../../../src/sinks/control/client-answers.ts';
import { commandRequests, controlServer } from '../../../src/sources/control/server.ts';
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import { requestId } from '../../../src/streams/domain/ids.ts';
import { PROTOCOL } from '../../../src/streams/wire/protocol.ts';
import { listen } from '../../support/listen.ts';
import { idOf } from '../../support/spec.ts';

describe('a command', () => {
  it('a command becomes an event, and its reply reaches its client', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sup-replies-'));
    const hello = { protocol: PROTOCOL, version: 'x', pid: 1, since: 'x' };
    const server = controlServer({ socketPath: join(dataDir, 'control.sock'), hello });
    const reply$ = new Subject<EffectOf<'reply'>>();
    const subscription = listen(replies(server)(reply$));
    subscription.add(
      listen(
        commandRequests(server).pipe(
          filter((event) => event.type === 'requested'),
          map(({ request, command }): EffectOf<'reply'> => {
            const ok = command.type === 'stop';
            return ok
              ? {
                  type: 'reply',
                  request,
                  reply: {
                    ok,
                    done: { outcomes: [{ service: idOf('web'), what: 'started' }], warnings: [] },
                  },
                }
              : {
                  type: 'reply',
                  request,
                  reply: { ok, error: { code: 'ERR0106', failures: [], total: 1 }, warnings: ['careful'] },
                };
          }),
        ),
        (effect) => reply$.next(effect),
      ),
    );
    await server.listen();
    const [first, second] = await Promise.all([connect(dataDir), connect(dataDir)]);
    const done = first.call('command', { type: 'stop', selection: {} });
    const failed = second.call('command', { type: 'start', selection: {} });
    await expect(done).resolves.toEqual({
      outcomes: [{ service: 'shop/web', what: 'started' }],
      warnings: [],
    });
    await expect(failed).rejects.toMatchObject({
      document: { code: 'ERR0106' },
      warnings: ['careful'],
    });
    // Of a client that an earlier supervisor had: nobody gets it, nothing breaks.
    reply$.next({
      type: 'reply',
      request: requestId('old-1:1'),
      reply: { ok: true, done: { outcomes: [], warnings: [] } },
    });
    first.close();
    second.close();
    subscription.unsubscribe();
    await server.close();
    await rm(dataDir, { recursive: true });
  });
});
