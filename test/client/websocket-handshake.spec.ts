import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { openWebSocket } from '../../src/client/websocket-handshake.ts';

const ACCEPTED = [
  'HTTP/1.1 101 Switching Protocols',
  ...['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo='],
  '\r\n',
].join('\r\n');
/** The frame of the text `hi`, from a server. */
const HI = Buffer.from([0x81, 2, 0x68, 0x69]);

/** What a client hears of a server that does this with its connection. */
const heardOf = async (serve: (line: Socket) => void): Promise<readonly string[]> => {
  const place = mkdtempSync(join(tmpdir(), 'sup-handshake-'));
  const server = createServer((line) => line.on('error', () => undefined).once('data', () => serve(line)));
  onTestFinished(() => rmSync(place, { recursive: true }));
  onTestFinished(() => void server.close());
  await once(server.listen(join(place, 's')), 'listening');
  const line = connect(join(place, 's'));
  const heard: string[] = [];
  openWebSocket(line, {
    accepted: (socket) => {
      heard.push('accepted');
      socket.on('error', () => undefined).on('message', (data: Buffer) => heard.push(data.toString()));
    },
    refused: (body) => void heard.push(`refused: ${body}`),
  });
  await once(line, 'close');
  return heard;
};

it('the handshake opens a WebSocket, however the answer is cut into pieces', async () => {
  const whole = Buffer.concat([Buffer.from(ACCEPTED), HI]);
  expect(await heardOf((line) => void line.end(whole))).toEqual(['accepted', 'hi']);
  const drop = (line: Socket): void => {
    let sent = 0;
    const next = (): void => {
      if (sent === whole.length) return void line.end();
      line.write(whole.subarray(sent, (sent += 1)), () => setImmediate(next));
    };
    next();
  };
  expect(await heardOf(drop)).toEqual(['accepted', 'hi']);
});

it('the handshake passes on what a server says that refuses', async () => {
  const answer = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n{"no":1}';
  expect(await heardOf((line) => void line.end(answer))).toEqual(['refused: {"no":1}']);
});

it('the handshake accepts no answer to another key, and no header without end', async () => {
  const strange = ACCEPTED.replace('s3pP', 'S3pP');
  expect(await heardOf((line) => void line.end(strange))).toEqual(['refused: ']);
  expect(await heardOf((line) => void line.write('x'.repeat(20_000)))).toEqual([]);
});
