// Takes questions out of the store, and counts them.
import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { STORE: store } = process.env;
console.log('waiting for questions');

for (let counted = 0; ; await pause(500)) {
  const questions = readdirSync(store).filter((name) => name.startsWith('question-'));
  questions.forEach((name) => rmSync(`${store}/${name}`, { force: true }));
  counted += questions.length;
  if (questions.length > 0) console.log(`${counted} questions so far`);
}
