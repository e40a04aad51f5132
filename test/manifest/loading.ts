// Manifests for tests: real files in a directory of their own, loaded for real, removed when the test ends.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { loadManifest, type LoadPorts } from '../../src/manifest/load.ts';
import type { LoadResult, Problem } from '../../src/streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';

export const portsWith = (given: Partial<LoadPorts> = {}): LoadPorts => ({
  environment: {},
  uid: process.getuid?.() ?? 0,
  sys: false,
  ...given,
});

/** A directory with these files. */
export const directoryWith = (files: Readonly<Record<string, string | Uint8Array>>): string => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-manifest-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content, { mode: 0o644 });
  }
  return directory;
};

/** Loads `sup.yaml` of these files. */
export const loadFiles = (
  files: Readonly<Record<string, string | Uint8Array>>,
  ports: Partial<LoadPorts> = {},
): LoadResult => loadManifest(join(directoryWith(files), 'sup.yaml'), portsWith(ports));

export const loadText = (text: string, ports: Partial<LoadPorts> = {}): LoadResult =>
  loadFiles({ 'sup.yaml': text }, ports);

const indented = (text: string, by: number): string =>
  text
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n');

/** A manifest with one loose service `web` that has these fields; it has a command unless they say what to run. */
export const manifestOf = (fields: string, version = '"2"'): string => {
  const runs = /^(command|exec):/m.test(fields) ? '' : '    command: run\n';
  return `version: ${version}\nservices:\n  web:\n${runs}${fields === '' ? '' : indented(fields, 4)}\n`;
};

/** The one service with these fields, which must load without an error. */
export const serviceWith = (fields: string, ports: Partial<LoadPorts> = {}): ServiceSpec => {
  const { manifest, problems } = loadText(manifestOf(fields), ports);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return manifest!.services[0]!;
};

/** `CODE path: message` of everything that is wrong, positions left out. */
export const toldOf = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ code, path, message }) => `${code} ${path}: ${message}`);

/** The same without what sup merely does not carry out yet: that is told by a test of its own. */
export const mistakesOf = (problems: readonly Problem[]): readonly string[] =>
  toldOf(problems.filter(({ code }) => code !== 'ERR0223'));

/** What is wrong with a service that has these fields; paths begin below the service. */
export const wrongWith = (fields: string, ports: Partial<LoadPorts> = {}): readonly string[] =>
  mistakesOf(loadText(manifestOf(fields), ports).problems).map((line) => line.replace('services.web.', ''));
