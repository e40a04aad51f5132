// Alerts, on a real receiver: one message per incident and one at its end, also across the death of the supervisor.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { goOn, killSupervisor } from '../support/own-death.ts';
import { shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { come, expectDone } from '../support/witnesses.ts';

interface Receiver {
  readonly url: string;
  /** Of the messages that it has accepted, each once: an attempt of a killed supervisor may arrive after it. */
  readonly causes: readonly string[];
  readonly accept: () => void;
}

/** A receiver that refuses every message until it is told to accept them. */
const receiver = async (): Promise<Receiver> => {
  const causes: string[] = [];
  const ids = new Set<unknown>();
  let isAccepting = false;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { service, cause } = JSON.parse(body) as EventDocument;
      const id = request.headers['x-sup-delivery'];
      if (isAccepting && !ids.has(id)) causes.push(`${service} ${cause}`);
      if (isAccepting) ids.add(id);
      response.writeHead(isAccepting ? 204 : 503).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const accept = (): void => void (isAccepting = true);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, causes, accept };
};

scenario(
  'an incident is told once, also if the supervisor is killed meanwhile, and its end is told',
  async (stage) => {
    const { url, causes, accept } = await receiver();
    stage.declare({
      alerts: [
        { url, recovered_after: '100ms' },
        { command: 'echo "$SUP_SERVICE $SUP_ALERT" >>told', on: ['breaker-open'] },
      ],
      services: {
        web: shell('[ -e well ] && exec sleep 1000; sleep 0.1; exit 3', { max_restarts: 0 }),
      },
    });
    await stage.sup('start', '--daemonize');
    await come(stage, { web: 'breaker-open' });
    await linesCome(stage, 'told', 1);
    const sent = async (): Promise<string> => (await stage.sup('events', '--json')).stdout;
    // A result that the killed supervisor has not stored is unknown to the next one, and the command would run again.
    await holds('the result of the command', async () => (await sent()).includes('sent to the command'));
    // Each attempt was refused, so the message is on disk and is sent by the next supervisor.
    await killSupervisor(stage);
    accept();
    await goOn(stage);
    await holds('the alert with the receiver', () => causes.length > 0);
    stage.write('well', '');
    expectDone(await stage.sup('start', '--daemonize', 'web'));
    await holds('the end with the receiver', () => causes.length > 1);
    expect(causes).toEqual(['web breaker-open', 'web recovered']);
    expect(linesOf(stage, 'told')).toEqual(['web breaker-open']);
    await holds('the stored event', async () =>
      (await sent()).includes('breaker-open: sent to http://127.0.0.1:'),
    );
  },
);
