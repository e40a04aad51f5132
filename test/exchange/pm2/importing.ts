// Imports files of PM2 from a directory of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { parse } from 'yaml';
import { importFiles, type Imported } from '../../../src/exchange/import-files.ts';
import type { Plain } from '../../../src/exchange/key-table.ts';

const root = mkdtempSync(join(tmpdir(), 'pm2-'));
const directory = join(root, 'shop');
/** Writes a file and returns its name. */
export const put = (file: string, text: string | Buffer): string => {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return file;
};

/** Imports a file. `value`: what the file exports, if it is JavaScript. */
export const imported = (file: string, value?: Plain): Promise<Imported> =>
  importFiles({
    files: [file],
    directory,
    format: undefined,
    standardInput: () => Promise.resolve(''),
    environment: { PATH: '/usr/bin:/bin' },
    evaluate: () => Promise.resolve(value ?? null),
  });

export type Service = Readonly<Record<string, unknown>>;

/** Imports one app and returns its service, and what was lost or changed. */
export const one = async (
  app: Readonly<Record<string, Plain>>,
): Promise<{ service: Service; said: readonly string[] }> => {
  put('ecosystem.json', JSON.stringify({ apps: [{ name: 'app', script: 'app.js', ...app }] }));
  const { manifest, losses } = await imported('ecosystem.json');
  const { projects } = parse(manifest) as { projects: Record<string, { services: Record<string, Service> }> };
  const [{ services } = { services: {} }] = Object.values(projects);
  const said = losses.filter(({ service }) => service !== undefined);
  return {
    service: services['app'] ?? Object.values(services)[0] ?? {},
    said: said.map(({ effect, key }) => `${effect} ${key}`),
  };
};

/** Writes scripts for the tests of a file, and removes everything after them. */
export const withScripts = (): void => {
  put('app.js', '');
  put('tool', '#!/bin/sh\n');
  put('binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]));
  afterAll(() => rmSync(root, { recursive: true }));
};
