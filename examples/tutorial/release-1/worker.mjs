// The worker: counts the words of each new entry.
import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../database.mjs';

const NEXT =
  "select json_build_object('id', id, 'text', text) from entries where words is null order by random() limit 1";

for (;;) {
  await pause(500);
  const [found] = await query(NEXT);
  if (found === undefined) continue;
  const { id, text } = JSON.parse(found);
  const words = text.match(/\S+/g).length;
  await query(`update entries set words = ${words} where id = ${id}`);
  console.log(`entry ${id}: ${words} words`);
}
