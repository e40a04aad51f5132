import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { createServer as createSecureServer } from 'node:https';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sendAlert } from '../../../src/sinks/alerts/send-alert.ts';
import { commandRunner } from '../../../src/sinks/process/commands/command-runner.ts';
import { enqueue, NO_ALERTS, type Delivery } from '../../../src/streams/alerts/deliveries.ts';
import type { AlertSpec } from '../../../src/streams/domain/declared/spec.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import { start, world, written, type World } from '../../fixtures/processes/world.ts';

let here: World;
beforeEach(() => {
  here = world();
});
afterEach(() => here.remove());

const BODY = '{"cause":"failed","reason":"exit status 3 – ü"}';
const NOW = 1_800_000_000;

const deliveryTo = (to: AlertSpec['to'], more: Partial<AlertSpec> = {}): Delivery => {
  const alert = { on: ['failed'], to, timeout: ms(60_000), recoveredAfter: ms(0), ...more } as const;
  const about = { cause: 'failed', project: 'shop', service: 'web', run: 3, code: 'ERR0101' } as const;
  return enqueue(NO_ALERTS, [{ alert, about, body: BODY }], instant(0)).state.deliveries[0]!;
};

const send = (delivery: Delivery): Promise<string | undefined> =>
  sendAlert(delivery, {
    runner: commandRunner({ start, capture: here.capture }),
    environment: { PATH: '/usr/bin:/bin' },
    dataDir: here.dataDir,
    version: '1.2.3',
    sys: false,
    now: () => NOW + 0.7,
  });

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver; `url` is its address, `received` what it got. */
const receiver = async (
  answer: (response: ServerResponse, count: number) => void,
): Promise<{ readonly url: string; readonly received: Received[] }> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      answer(response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
};

const ok = (response: ServerResponse): void => void response.writeHead(204).end();

/** The verifier that the documentation shows for a language. */
const verifier = (language: string): string => {
  const text = readFileSync('docs/alerts.md', 'utf8');
  return new RegExp(`<!-- verifier ${language} -->\\n+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(text)?.[1] ?? '';
};

describe('an alert by POST', () => {
  it('a POST has the document as body, and headers that say what it is', async () => {
    const { url, received } = await receiver(ok);
    const delivery = deliveryTo({ tag: 'url', url });
    expect(await send(delivery)).toBeUndefined();
    expect(received).toMatchObject([
      {
        body: BODY,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'sup/1.2.3',
          'x-sup-alert': 'failed',
          'x-sup-delivery': delivery.id,
          'x-sup-attempt': '1',
        },
      },
    ]);
    expect(received[0]?.headers).not.toHaveProperty('x-sup-signature');
  });

  it('the verifiers of the documentation accept the signature, and refuse another body, secret or time', async () => {
    const { url, received } = await receiver(ok);
    const secretFile = join(here.dataDir, 'key');
    writeFileSync(secretFile, ' s3cret\n', { mode: 0o600 });
    await send(deliveryTo({ tag: 'url', url }, { secretFile }));
    const header = received[0]?.headers['x-sup-signature'];
    expect(header).toMatch(new RegExp(`^t=${NOW},v1=[0-9a-f]{64}$`));
    const cases = [
      [BODY, 's3cret', NOW],
      [`${BODY} `, 's3cret', NOW],
      [BODY, 'another', NOW],
      [BODY, 's3cret', NOW + 301],
    ];
    const input = JSON.stringify({ header, cases });
    const node = `${verifier('node')}
      const { header, cases } = JSON.parse(process.env.CASES);
      console.log(JSON.stringify(cases.map(([b, s, n]) => isFromSup(header, Buffer.from(b), s, n))));`;
    const python = `${verifier('python')}
import json, os
given = json.loads(os.environ["CASES"])
print(json.dumps([is_from_sup(given["header"], b.encode(), s, n) for b, s, n in given["cases"]]))`;
    const env = { ...process.env, CASES: input };
    for (const [program, args] of [
      [process.execPath, ['--input-type=module', '-e', node]],
      ['python3', ['-c', python]],
    ] as const) {
      const { stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual([true, false, false, false]);
    }
  });

  it('without its secret nothing is sent', async () => {
    const { url, received } = await receiver(ok);
    const secretFile = join(here.dataDir, 'missing');
    expect(await send(deliveryTo({ tag: 'url', url }, { secretFile }))).toBe(
      `the secret in ${secretFile} cannot be used: no such file`,
    );
    expect(received).toEqual([]);
  });

  it.each([
    ['an error', 503, 'it answered with status 503'],
    ['a redirect', 302, 'it answered with status 302, a redirect, which is not followed'],
  ])('%s is a failure, and its answer is not followed', async (_, status, failure) => {
    const { url, received } = await receiver((response) =>
      response.writeHead(status, { location: '/again' }).end(),
    );
    expect(await send(deliveryTo({ tag: 'url', url }))).toBe(failure);
    expect(received).toHaveLength(1);
  });

  it('a body without an end is not read', async () => {
    let isClosed: (value: unknown) => void = () => undefined;
    const closed = new Promise((resolve) => (isClosed = resolve));
    const { url } = await receiver((response) => {
      response.on('close', isClosed);
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect(await send(deliveryTo({ tag: 'url', url }))).toBeUndefined();
    await closed;
  });

  it('endless headers are an error', async () => {
    const { url } = await receiver((response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const more = (error?: unknown): void => {
        if (error === undefined || error === null)
          response.socket?.write(
            `x-more: ${'y'.repeat(4000)}
`,
            more,
          );
      };
      more();
    });
    expect(await send(deliveryTo({ tag: 'url', url }))).toMatch(/overflow|parse error/i);
  });

  it('a receiver that never answers is given up at the time limit', async () => {
    const { url } = await receiver(() => undefined);
    expect(await send(deliveryTo({ tag: 'url', url }, { timeout: ms(50) }))).toBe('no answer within 50 ms');
  });

  it('a certificate of an unknown CA is a failure that says so, and nothing is sent', async () => {
    const pem = readFileSync('test/fixtures/tls/self-signed.pem');
    let isAsked = false;
    const server = createSecureServer({ key: pem, cert: pem }, () => (isAsked = true));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await send(deliveryTo({ tag: 'url', url }))).toBe(
      'its certificate is not trusted: self-signed certificate (NODE_EXTRA_CA_CERTS of the supervisor can name a file with the CA)',
    );
    expect(isAsked).toBe(false);
  });

  it('a secret that is replaced signs the next attempt', async () => {
    const { url, received } = await receiver(ok);
    const secretFile = join(here.dataDir, 'key');
    for (const secret of ['old', 'new']) {
      writeFileSync(secretFile, secret, { mode: 0o600 });
      await send(deliveryTo({ tag: 'url', url }, { secretFile }));
    }
    const expected = ['old', 'new'].map(
      (secret) => `t=${NOW},v1=${createHmac('sha256', secret).update(`${NOW}.${BODY}`).digest('hex')}`,
    );
    expect(received.map(({ headers }) => headers['x-sup-signature'])).toEqual(expected);
  });

  it('a receiver that is not there is a failure', async () => {
    expect(await send(deliveryTo({ tag: 'url', url: 'http://127.0.0.1:1/' }))).toMatch(/ECONNREFUSED/);
  });
});

describe('an alert by command', () => {
  const command = (line: string): AlertSpec['to'] => ({
    tag: 'command',
    command: line,
    directory: here.dataDir,
  });

  it('a command gets the document on standard input, and variables', async () => {
    const line =
      'set -u; { cat; echo "$SUP_ALERT|$SUP_PROJECT|$SUP_SERVICE|$SUP_RUN|$SUP_ERROR|$SUP_ATTEMPT|$SUP_ALERT_ID"; } > said';
    const delivery = deliveryTo(command(line));
    expect(await send(delivery)).toBeUndefined();
    expect(await written(join(here.dataDir, 'said'))).toBe(
      `${BODY}\nfailed|shop|web|3|ERR0101|1|${delivery.id}`,
    );
  });

  it('a command that fails is a failure with what it printed last', async () => {
    expect(await send(deliveryTo(command('echo no route >&2; exit 7')))).toBe(
      'the command exited with 7: no route',
    );
  });

  it('a command that hangs is killed at the time limit', async () => {
    expect(await send(deliveryTo(command('sleep 1000'), { timeout: ms(100) }))).toBe(
      'the command was killed after 100 ms',
    );
  });

  it('a command that reads nothing gets a large message all the same', async () => {
    expect(await send({ ...deliveryTo(command('true')), body: 'x'.repeat(500_000) })).toBeUndefined();
  });
});
