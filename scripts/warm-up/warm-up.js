// Makes the code caches of both programs by running them in a temporary directory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LIMIT_MS = 90_000;
const CACHES = [
  ...['core', 'store', 'status', 'work', 'settings', 'manifest', 'help', 'rest'].map((part) => `sup.${part}`),
  'supervisor.bundle',
];
const MANIFEST = `version: '2'
services:
  one:
    exec: [sleep, '1000']
    stop_timeout: 1s
`;
const at = (name) => new URL(name, import.meta.url);

/**
 * Resolves to true when all caches exist; to false after the deadline. The session ends shortly before its
 * supervisor does, so waiting is necessary.
 */
const made = async (caches, deadline) => {
  while (!caches.every(existsSync) && Date.now() < deadline) await pause(5);
  return caches.every(existsSync);
};

const begun = (place, words, more = {}) => {
  const child = spawn(process.execPath, words, {
    cwd: place,
    env: { PATH: process.env.PATH, HOME: place, SUP_DATA_DIR: join(place, 'data'), ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
  });
  const said = [];
  child.stderr.on('data', (text) => said.push(text));
  return once(child, 'close').then(() => said.join(''));
};

/**
 * Makes the caches. Without them the programs only start later, so a failure is a warning and the build
 * succeeds. `recorder`: the script that is loaded before each program and writes its cache.
 */
export const warmUp = async (dist, recorder = at('record.js')) => {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'sup-build-')));
  const deadline = Date.now() + LIMIT_MS;
  const sup = resolve(dist, 'sup.js');
  const caches = CACHES.map((name) => join(dist, `${name}.cache`));
  try {
    await writeFile(join(place, 'sup.yaml'), MANIFEST);
    const record = { NODE_OPTIONS: `--import=${recorder.href}` };
    const said = await begun(place, [fileURLToPath(at('play.js')), sup], record);
    if (await made(caches, deadline)) return;
    console.warn(`no code cache could be made, so that sup starts more slowly:\n${said}`);
    await begun(place, [sup, 'shutdown']);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
};
