// Loaded before a program, in place of scripts/warm-up/record.js. When the program exits, the positions of
// all functions that were called are added to the sorted list beside its text (`*.calls`).
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const recorded = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);

const record = ({ url, functions }) => {
  const file = fileURLToPath(url).replace(/js$/, 'calls');
  const called = functions.flatMap(({ ranges: [range] }) => (range.count > 0 ? [range.startOffset] : []));
  const all = [...new Set([...recorded(file), ...called])].toSorted((one, other) => one - other);
  writeFileSync(`${file}.new`, JSON.stringify(all));
  renameSync(`${file}.new`, file);
  // warm-up.js waits until this file exists.
  writeFileSync(file.replace(/calls$/, 'cache'), '');
};

process.on('exit', () => {
  session.post('Profiler.takePreciseCoverage', (error, { result } = {}) => {
    if (error !== null) throw new Error(error.message);
    result.filter(({ url }) => /\/sup[^/]*\.(?!js$)\w+\.js$/.test(url)).forEach(record);
  });
});
