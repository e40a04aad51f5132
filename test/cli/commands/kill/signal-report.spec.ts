import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { remembered } from '../../../../src/cli/commands/kill/signal-report.ts';
import { contextOf } from '../../../../src/cli/context.ts';
import { controlServer } from '../../../../src/sources/control/server.ts';
import type { Reply } from '../../../../src/streams/domain/command.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import { failureOf, resultOf } from '../../../../src/streams/wire/messages.ts';
import { PROTOCOL } from '../../../../src/streams/wire/protocol.ts';
import { listen } from '../../../support/listen.ts';
import { idOf } from '../../../support/spec.ts';
import { temporary } from '../logs/harness.ts';
import { fakeWorld } from '../../support/fake-world.ts';

const ACTS = [{ service: idOf('web'), act: { tag: 'signal', by: 'kill', signal: 'SIGHUP' } }] as const;
const NO = { code: 'ERR0204', message: 'never heard of it', path: null, at: null, hint: null } as const;

/** The warnings, and the requests that the supervisor received. Without an answer no supervisor runs. */
const told = async (
  answer?: 'done' | 'no',
): Promise<{ readonly warnings: readonly string[]; readonly asked: unknown[] }> => {
  const dataDir = join(temporary(), 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const { world } = fakeWorld({ environment: { SUP_DATA_DIR: dataDir } });
  const asked: unknown[] = [];
  if (answer !== undefined) {
    const hello = { protocol: PROTOCOL, version: '9.9.9', pid: 4711, since: '' };
    const server = controlServer({ socketPath: layoutOf(dataDir).socket, hello });
    await server.listen();
    const done: Extract<Reply, { ok: true }>['done'] = { outcomes: [], warnings: [] };
    const answers = listen(server.incoming$, ({ client, request }) => {
      asked.push(request.params);
      server.send(client, answer === 'done' ? resultOf(request.id, done) : failureOf(request.id, NO));
    });
    onTestFinished(async () => {
      answers.unsubscribe();
      await server.close();
    });
  }
  return { warnings: await remembered(contextOf(new Set(), world), ACTS), asked };
};

describe('reporting a signal to the supervisor', () => {
  it('a signal is reported to the supervisor without output', async () => {
    const { warnings, asked } = await told('done');
    expect([asked, warnings]).toEqual([[{ type: 'acted', acts: ACTS }], []]);
  });

  it('a signal that the supervisor does not record is reported as missing in the history', async () => {
    const { warnings } = await told('no');
    expect(warnings).toEqual(['it will not stand in the history: never heard of it']);
  });

  it('without a supervisor no signal is reported', async () => {
    expect((await told()).warnings).toEqual([]);
  });
});
