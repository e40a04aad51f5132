// Makes the V8 code caches of the packaged program, for the packaged Node (D-130). Each cache is compiled in
// a process of its own, from the text and the list of functions alone (profile.js), so that equal texts have
// equal caches.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listedFunctions } from './profile.js';
import { root, run } from './tools.js';

/** Fixed seeds, because they decide about the order of tables in a cache. */
const SEEDS = ['--hash-seed=1', '--random-seed=1'];

const at = (name) => join(root, 'scripts/package', name);

/** Prints V8's number for the options of an ordinary start, which is in the head of a cache. */
const FLAGS = `
  const head = new (require('node:vm').Script)('0').createCachedData();
  process.stdout.write(head.subarray(12, 16).toString('hex'));
`;

/**
 * True for the name of a text that runs from a cache. The loaders next to it (sup.js, supervisor.js) have no
 * cache and no second dot in their names.
 */
const hasCache = (name) => /^sup[^.]*\.\w+\.js$/.test(name);

/** Makes the caches of all programs in `dist`. */
export const makeCodeCaches = (node, dist) => {
  const flags = run(node, ['--eval', FLAGS]);
  for (const name of readdirSync(dist).filter(hasCache)) {
    const text = join(dist, name);
    const [list, data] = [`${text}.calls`, `${text}.data`];
    writeFileSync(list, JSON.stringify(listedFunctions(readFileSync(text, 'latin1'))));
    run(node, [...SEEDS, at('compile-cache.cjs'), text, list, data, flags]);
    const code = readFileSync(data);
    writeFileSync(text.replace(/js$/, 'cache'), Buffer.concat([code, code, readFileSync(text)]));
    for (const spent of [list, data]) rmSync(spent);
    run(node, [at('accepts-cache.cjs'), text]);
  }
};
