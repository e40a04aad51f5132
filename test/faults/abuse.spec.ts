// Abuse of the control socket: many clients, broken ones, mute ones. The supervisor goes on and answers the others.
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { RPC } from '../../src/streams/wire/messages.ts';
import { supervisorPid } from '../scenarios/support/own-death.ts';
import { loose, project, steady } from '../scenarios/support/recipes.ts';
import { scenario } from '../scenarios/support/scenario.ts';
import type { Stage } from '../scenarios/support/stage.ts';
import { agree, expectDone, started } from '../scenarios/support/witnesses.ts';

const socketOf = ({ data }: Stage): string => join(data, 'control.sock');

/** Settles once the supervisor is connected to. */
const dial = (stage: Stage): Promise<WebSocket> =>
  new Promise((settle, fail) => {
    const socket = new WebSocket('ws://localhost/', {
      createConnection: () => connect(socketOf(stage)),
    });
    socket.on('error', fail);
    socket.once('open', () => settle(socket));
  });

const rawDial = (stage: Stage): Promise<Socket> =>
  new Promise((settle) => {
    const socket = connect(socketOf(stage), () => settle(socket));
    socket.on('error', () => undefined);
  });

const closed = (socket: WebSocket): Promise<void> =>
  new Promise((settle) => {
    socket.on('error', () => undefined);
    if (socket.readyState === WebSocket.CLOSED) settle();
    else socket.once('close', () => settle());
  });

/** The first error that a client is sent. A connection that ends before is none. */
const errorTo = (client: WebSocket): Promise<unknown> =>
  new Promise((settle, fail) => {
    client.on('message', (data: Buffer) => {
      const answer: unknown = JSON.parse(data.toString());
      if (typeof answer === 'object' && answer !== null && 'error' in answer) settle(answer);
    });
    client.once('close', () => fail(new Error('hung up without an answer')));
  });

const answersOthers = async (stage: Stage, pid: number): Promise<void> => {
  expect(await supervisorPid(stage)).toBe(pid);
  expectDone(await stage.sup('restart', '--service', 'web'));
  await agree(stage, { web: 'running' });
};

describe('the control socket', () => {
  scenario('the control socket serves two hundred clients at once', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const clients = await Promise.all(Array.from({ length: 200 }, () => dial(stage)));
    const answers = clients.map(
      (client) =>
        new Promise<string>((settle) => {
          client.on('message', (data: Buffer) => {
            const text = data.toString();
            if (text.includes('"result"')) settle(text);
          });
          client.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params: {} }));
        }),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toContain('"running"');
    clients.forEach((client) => client.terminate());
    await answersOthers(stage, await supervisorPid(stage));
  });

  scenario('the control socket answers an unknown request with an error and keeps running', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const pid = await supervisorPid(stage);
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const frames: readonly (readonly [string, object])[] = [
      ['no json', { id: null, error: { code: RPC.unparseable, message: 'the frame is not JSON' } }],
      ['{}', { id: null, error: { code: RPC.invalid, message: 'id: nothing is not a whole number' } }],
      ['[]', { id: null, error: { code: RPC.unparseable, message: 'the frame is not a JSON object' } }],
      ['null', { id: null, error: { code: RPC.unparseable, message: 'the frame is not a JSON object' } }],
      [
        '{"jsonrpc":"2.0","id":1,"method":"rm -rf"}',
        { id: 1, error: { code: RPC.unknownMethod, message: 'method: "rm -rf" is not known' } },
      ],
      [
        '{"jsonrpc":"2.0","id":{},"method":"status"}',
        { id: null, error: { code: RPC.invalid, message: 'id: {} is not a whole number' } },
      ],
      [
        '{"jsonrpc":"2.0","id":1,"method":"command","params":{"type":"stop","selection":{"services":7}}}',
        { id: 1, error: { code: RPC.badParams } },
      ],
      [
        '{"jsonrpc":"2.0","id":1,"method":"command","params":{"type":"__proto__"}}',
        { id: 1, error: { code: RPC.badParams } },
      ],
      [
        `{"jsonrpc":"2.0","id":1,"method":"status","params":${nested}}`,
        { id: 1, error: { code: RPC.badParams } },
      ],
    ];
    for (const [frame, promised] of frames) {
      const client = await dial(stage);
      client.send(frame);
      expect(await errorTo(client)).toMatchObject(promised);
      client.terminate();
    }
    await answersOthers(stage, pid);
  });

  scenario(
    'the control socket closes a connection that sends a frame that is too large or another protocol',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const pid = await supervisorPid(stage);
      const large = await dial(stage);
      large.on('error', () => undefined);
      large.send(Buffer.alloc(9 * 1024 * 1024, 'x'));
      await closed(large);
      const garbage = await rawDial(stage);
      const hungUp = new Promise<void>((settle) => garbage.resume().once('close', () => settle()));
      garbage.write(Buffer.alloc(64 * 1024, 0xff));
      await hungUp;
      await answersOthers(stage, pid);
    },
  );

  scenario(
    'clients that send nothing, never read or never end a frame do not block the control socket',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const pid = await supervisorPid(stage);
      const mute = await Promise.all(Array.from({ length: 20 }, () => rawDial(stage)));
      const deaf = await dial(stage);
      deaf.pause();
      for (let id = 1; id <= 500; id += 1)
        deaf.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'inspect', params: {} }));
      const endless = await rawDial(stage);
      endless.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
      await answersOthers(stage, pid);
      mute.forEach((socket) => socket.destroy());
      endless.destroy();
      deaf.terminate();
    },
  );
});

describe('registering a project', () => {
  scenario('registering the same project ten times at once registers it once', async (stage) => {
    stage.declare(project('shop', { web: steady() }));
    const starts = Array.from({ length: 10 }, () => stage.begin(['start', '--daemonize']).ended);
    (await Promise.all(starts)).forEach(expectDone);
    expect((await stage.status()).document.projects).toHaveLength(1);
    await agree(stage, { 'shop/web': 'running' });
  });

  scenario(
    'registering during a shutdown either succeeds or is refused, with no state in between',
    async (stage) => {
      stage.declare(loose({ web: steady() }));
      for (let round = 0; round < 4; round += 1) {
        const start = stage.begin(['start', '--daemonize']);
        const shutdown = stage.begin(['shutdown']);
        const outcomes = await Promise.all([start.ended, shutdown.ended]);
        for (const { stderr } of outcomes) expect(stderr).not.toContain('ERR0001');
        const { status } = await stage.status();
        if (status !== 3) await agree(stage, { web: 'running' });
        else expect(stage.members()).toEqual([]);
      }
    },
  );
});
