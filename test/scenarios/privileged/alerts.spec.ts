// Alerts of a root supervisor: a signed message that is tried again, and a command.
import { createHmac } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { asRoot, manifest } from '../support/privileged.ts';
import { shell } from '../support/recipes.ts';
import { come } from '../support/witnesses.ts';

interface Message {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers these statuses, one after another, and then always the last one. */
const receiver = async (...statuses: number[]): Promise<{ url: string; messages: Message[] }> => {
  const messages: Message[] = [];
  const server = createServer(({ headers }, response) => {
    const { req: request } = response;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      // The sender counts its pause from the answer.
      const at = performance.now();
      response.writeHead(statuses[messages.length] ?? statuses.at(-1) ?? 200).end();
      messages.push({ at, headers, body });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, messages };
};

const isSigned = ({ headers, body }: Message, secret: string): boolean => {
  const [, time = '', signature = ''] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-sup-signature'])) ?? [];
  return signature === createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
};

const crashing = shell('exit 3', { user: 'www-data', max_restarts: 0 });

asRoot('an alert is signed, and tried again after a refusal; a command runs as root', async (stage) => {
  const { url, messages } = await receiver(500, 200);
  chmodSync(stage.write('secret', 's3cret-7fd0\n'), 0o600);
  const alerts = [
    { url, secret: { file: 'secret' } },
    { command: `echo "$(id -u) $SUP_SERVICE $SUP_ALERT" >>told` },
  ];
  stage.declare({ ...manifest({ web: crashing }), alerts });
  await stage.sup('start', '--sys', '--daemonize');
  await come(stage, { web: 'breaker-open' });
  await linesCome(stage, 'told', 1);
  expect(linesOf(stage, 'told')).toEqual(['0 web breaker-open']);
  await holds('the second attempt', () => messages.length === 2);
  const [first, second] = messages;
  if (first === undefined || second === undefined) throw new Error('no message');
  expect(second.at - first.at).toBeGreaterThan(900);
  expect(messages.map(({ headers }) => headers['x-sup-attempt'])).toEqual(['1', '2']);
  expect(second.headers['x-sup-delivery']).toBe(first.headers['x-sup-delivery']);
  expect(second.body).toBe(first.body);
  expect(messages.every((message) => isSigned(message, 's3cret-7fd0'))).toBe(true);
  // An event is stored up to 50 ms later.
  const sent = async (): Promise<number> =>
    (await stage.sup('events', '--sys', '--json')).stdout.split('breaker-open: sent to http').length - 1;
  await holds('the stored event', async () => (await sent()) > 0);
  expect(await sent()).toBe(1);
});
