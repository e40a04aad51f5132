// Requests to the server of the dashboard, written by hand, as an attacker would.
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import type { FromServer } from '../../src/dashboard/page-messages.ts';
import type { Dashboard as Served } from '../../src/dashboard/serve-dashboard.ts';

type Dashboard = Pick<Served, 'url'>;

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const answerIn = (text: string): RawAnswer => {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(/: (.*)/s));
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    body: body.join('\r\n\r\n'),
  };
};

const portOf = ({ url }: Dashboard): number => Number(new URL(url).port);

/** Sends the lines and resolves to the answer. The server or this request ends the connection. */
export const raw = async (dashboard: Dashboard, lines: readonly string[], body = ''): Promise<RawAnswer> => {
  const line = connect(portOf(dashboard), '127.0.0.1');
  let text = '';
  line.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  line.on('error', () => undefined);
  line.write(
    `${[...lines, 'Connection: close', `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`,
  );
  await once(line, 'close');
  return answerIn(text);
};

export const originOf = ({ url }: Dashboard): string => new URL(url).origin;
export const hostOf = ({ url }: Dashboard): string => new URL(url).host;
export const tokenOf = ({ url }: Dashboard): string => new URL(url).hash.replace('#token=', '');

export const get = (dashboard: Dashboard, path: string, host = hostOf(dashboard)): Promise<RawAnswer> =>
  raw(dashboard, [`GET ${path} HTTP/1.1`, `Host: ${host}`]);

interface Exchange {
  readonly token?: string;
  readonly host?: string;
  /** `undefined`: without the header. */
  readonly origin?: string | undefined;
}

/** Exchanges the token for the cookie. */
export const post = (dashboard: Dashboard, given: Exchange = {}): Promise<RawAnswer> => {
  const { token, host, origin } = {
    ...{ token: tokenOf(dashboard), host: hostOf(dashboard), origin: originOf(dashboard) },
    ...given,
  };
  const lines = [
    'POST /session HTTP/1.1',
    `Host: ${host}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
  ];
  return raw(dashboard, lines, token);
};

export const cookieFor = async (dashboard: Dashboard): Promise<string> =>
  (await post(dashboard)).headers.get('set-cookie')?.split(';')[0] ?? '';

interface Upgrade {
  readonly host?: string;
  readonly origin?: string | undefined;
  readonly cookie?: string;
  readonly path?: string;
}

/** Asks for a WebSocket by hand. Resolves to the status: 101 if it is opened. */
export const upgrade = async (dashboard: Dashboard, given: Upgrade = {}): Promise<number> => {
  const { host, origin, cookie, path } = {
    ...{ host: hostOf(dashboard), origin: originOf(dashboard), path: '/socket' },
    cookie: given.cookie ?? (await cookieFor(dashboard)),
    ...given,
  };
  const line = connect(portOf(dashboard), '127.0.0.1');
  const lines = [
    ...[`GET ${path} HTTP/1.1`, `Host: ${host}`, ...(origin === undefined ? [] : [`Origin: ${origin}`])],
    ...[`Cookie: ${cookie}`, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''],
  ];
  line.on('error', () => undefined).write(lines.join('\r\n'));
  const [head] = (await once(line, 'data')) as [Buffer];
  line.destroy();
  return Number(head.toString('latin1').split(' ')[1]);
};

/** A page of a test: what it has received, and what it sends. */
export interface TestPage {
  readonly received: readonly FromServer[];
  readonly send: (question: unknown) => void;
  /** Resolves to the first message, also an earlier one, for which the test holds. */
  readonly until: <M extends FromServer>(holds: (message: FromServer) => message is M) => Promise<M>;
  readonly closed: Promise<number>;
  readonly socket: WebSocket;
}

export const openPage = async (dashboard: Dashboard): Promise<TestPage> => {
  const cookie = await cookieFor(dashboard);
  const origin = originOf(dashboard);
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/socket`, { origin, headers: { cookie } });
  const received: FromServer[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString()) as FromServer);
    for (const look of waiting) look();
  });
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await once(socket, 'open');
  return {
    received,
    closed,
    socket,
    send: (question) => socket.send(typeof question === 'string' ? question : JSON.stringify(question)),
    until: (holds) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = received.find(holds);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
};
