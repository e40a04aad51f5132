// A small client of PostgreSQL, through the Unix socket in PGHOST. Each query has a connection of its own.
import { createConnection } from 'node:net';
import { userInfo } from 'node:os';
import { buffer } from 'node:stream/consumers';

const int32 = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
};
const line = (text) => Buffer.from(`${text}\0`);
const message = (type, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};

const PROTOCOL = int32(196608);
const LOGIN = message(
  '',
  ...[PROTOCOL, line('user'), line(userInfo().username)],
  ...[line('database'), line(process.env.PGDATABASE), line('')],
);
const GOODBYE = message('X');

/** A text as it is written in a statement. */
export const quote = (text) => `'${text.replaceAll("'", "''")}'`;

/** Runs a statement, and returns the first column of each row. */
export const query = async (statement) => {
  const socket = createConnection(`${process.env.PGHOST}/.s.PGSQL.5432`);
  socket.write(Buffer.concat([LOGIN, message('Q', line(statement)), GOODBYE]));
  const answer = await buffer(socket);
  const rows = [];
  for (let at = 0; at < answer.length; at += 1 + answer.readInt32BE(at + 1)) {
    const type = String.fromCharCode(answer[at]);
    if (type === 'D') rows.push(answer.toString('utf8', at + 11, at + 11 + answer.readInt32BE(at + 7)));
    if (type === 'E') throw new Error(answer.toString('utf8', at + 5).match(/\0M([^\0]*)/)[1]);
  }
  return rows;
};
