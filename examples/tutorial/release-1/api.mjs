// The API: GET / lists the entries, POST / adds one, GET /health asks the database.
import { createServer } from 'node:http';
import { Server as Listener } from 'node:net';
import { text } from 'node:stream/consumers';
import { query, quote } from '../database.mjs';

const RELEASE = 1;
const LIST =
  "select id || ': ' || text || ' (' || coalesce(words::text, '?') || ' words)' from entries order by id";

const add = async (entry) =>
  query(`insert into entries (text) values (${quote(entry)}) returning 'thank you for entry ' || id`);

const ANSWERS = {
  'GET /': async () => [`guestbook, release ${RELEASE}`, ...(await query(LIST))],
  'POST /': async (request) => add(await text(request)),
  'GET /health': () => query("select 'well'"),
};

let stopping = false;

const server = createServer(async (request, response) => {
  const answer = ANSWERS[`${request.method} ${request.url}`];
  if (stopping) response.setHeader('connection', 'close');
  try {
    if (answer === undefined) response.writeHead(404).end('no such page\n');
    else response.end(`${(await answer(request)).join('\n')}\n`);
  } catch (error) {
    console.error(error.message);
    response.writeHead(500).end('the database does not answer\n');
  }
});

// The supervisor holds the port, and gives it to each run as descriptor 3.
server.listen({ fd: 3 }, () => console.log(`release ${RELEASE} listens`));

// A stop: accept no more connections, finish the open ones, then end.
process.on('SIGTERM', () => {
  stopping = true;
  Listener.prototype.close.call(server, () => process.exit(0));
  setTimeout(() => setImmediate(() => server.closeIdleConnections()), 1000);
});
