// Loaded before a program. When the program exits, it writes the V8 code cache next to it, in the form that
// src/supervisor/loader/run-program.ts reads. A later run starts from the existing cache, so one cache covers
// several runs.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import vm from 'node:vm';

const scripts = new Map();
const { Script } = vm;

vm.Script = function (text, { filename }) {
  const script = scripts.get(filename) ?? new Script(text, { filename });
  scripts.set(filename, script);
  return script;
};

process.on('exit', () => {
  for (const [filename, script] of scripts) {
    const data = script.createCachedData();
    const cache = filename.replace(/\.js$/, '.cache');
    writeFileSync(`${cache}.new`, Buffer.concat([data, data, readFileSync(filename)]));
    renameSync(`${cache}.new`, cache);
  }
});
