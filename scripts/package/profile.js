// Lists the functions that the code caches of the packages contain (D-130): those that a session calls. The
// list is kept in profile.txt, because each build would make another one: timing decides which functions a
// session calls.
//
// The name of a function in the list is a hash of its text, without the numbers that the bundler appends to
// names. So the name stays when other functions change. A function that is missing in the list is compiled
// when it is first called.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, run } from './tools.js';

const FILE = join(root, 'scripts/package/profile.txt');

/** The number of sessions. By chance, one session calls functions that another does not call. */
const SESSIONS = 8;

const nameOf = (text) =>
  createHash('sha256')
    .update(text.replace(/(?<=[A-Za-z_$])\d+\b/g, ''))
    .digest('base64url')
    .slice(0, 8);

/** Returns the functions of a text: the position of each, and its name. */
const functionsOf = (text) => {
  const source = ts.createSourceFile('program.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node)) {
      const start = node.getStart(source);
      found.push([start, nameOf(text.slice(start, node.end))]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const readProfile = () => new Set(readFileSync(FILE, 'utf8').trim().split('\n'));

/** Returns the positions of those functions of a text that are in the list, in ascending order. */
export const listedFunctions = (text) => {
  const profile = readProfile();
  const positions = functionsOf(text).flatMap(([position, name]) => (profile.has(name) ? [position] : []));
  return [...new Set(positions)].toSorted((one, other) => one - other);
};

const SESSION = `
  const { warmUp } = await import(process.argv[1]);
  await warmUp(process.argv[2], new URL(process.argv[3]));
`;

const playSession = (node, dist) =>
  run(node, [
    '--input-type=module',
    `--eval=${SESSION}`,
    join(root, 'scripts/warm-up/warm-up.js'),
    dist,
    `file://${join(root, 'scripts/package/record-calls.js')}`,
  ]);

/** Plays sessions with the program in `dist`, and writes the list of the functions that they called. */
export const recordProfile = (node, dist) => {
  for (let session = 0; session < SESSIONS; session += 1) playSession(node, dist);
  const profile = new Set();
  for (const name of readdirSync(dist).filter((each) => each.endsWith('.calls'))) {
    const called = new Set(JSON.parse(readFileSync(join(dist, name), 'utf8')));
    const text = readFileSync(join(dist, name.replace(/calls$/, 'js')), 'latin1');
    for (const [position, word] of functionsOf(text)) if (called.has(position)) profile.add(word);
    rmSync(join(dist, name));
  }
  writeFileSync(FILE, `${[...profile].toSorted().join('\n')}\n`);
};
