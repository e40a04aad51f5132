import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { attach } from '../../../../src/cli/commands/start/attach.ts';
import type { Client } from '../../../../src/client/client.ts';
import type { ServiceDocument } from '../../../../src/streams/wire/documents/documents.ts';
import type { View } from '../../../../src/streams/wire/protocol.ts';
import { projectOf, serviceOf } from '../../support/documents.ts';
import { contextIn, fakeWorld } from '../../support/fake-world.ts';

const viewOf = (full: boolean, ...services: readonly ServiceDocument[]): View => ({
  full,
  projects: [projectOf(services)],
  gone: [],
});

const DAEMON = serviceOf({ name: 'daemon', state: 'breaker-open' });

describe('an attached start', () => {
  it('an attached start goes on if the first change that it sees is the end of another service', async () => {
    let show: (view: View) => void = () => undefined;
    let ended: number | undefined;
    const client: Pick<Client, 'onView' | 'onHello' | 'ended' | 'close'> & { call: unknown } = {
      onView: (listener) => {
        show = listener;
        return () => undefined;
      },
      onHello: () => undefined,
      call: () => Promise.resolve({}),
      ended: new Promise(() => undefined),
      close: () => undefined,
    };
    const attached = attach(contextIn(fakeWorld()), client as Client, {
      ...{ selection: {}, about: [], spared: new Set<string>() },
      follow: () => Promise.resolve(),
      interrupts: {
        asked: new Promise(() => undefined),
        wasAsked: () => false,
        dispose: () => undefined,
      },
    }).then((status) => (ended = status));
    // The supervisor still sends changes for the progress of the start.
    show(viewOf(false, DAEMON));
    show(viewOf(true, serviceOf(), DAEMON));
    await turn();
    await turn();
    expect(ended).toBeUndefined();
    show(viewOf(false, serviceOf({ state: 'stopped' })));
    expect(await attached).toBe(1);
  });
});
