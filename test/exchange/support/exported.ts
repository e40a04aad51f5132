// Loads a manifest from a text and exports it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Exported, ExportFormat } from '../../../src/exchange/export-format.ts';
import { exportManifest } from '../../../src/exchange/export-manifest.ts';
import type { Loss } from '../../../src/exchange/key-table.ts';
import { loadManifest, manifestTree } from '../../../src/manifest/load.ts';

const ports = { environment: { HOME: '/root' }, uid: process.getuid?.() ?? 0, sys: true };

/** Returns the files and losses. Throws if the manifest does not load. */
export const exported = (
  text: string,
  format: ExportFormat,
  images: Readonly<Record<string, string>> = {},
): Exported => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-export-'));
  const path = join(directory, 'sup.yaml');
  try {
    writeFileSync(path, text, { mode: 0o600 });
    const { manifest, problems } = loadManifest(path, ports);
    const root = manifestTree(path, ports);
    if (manifest === undefined || root === undefined) throw new Error(JSON.stringify(problems));
    return exportManifest({ manifest, root, format, images });
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** Returns a loss as one line: `lost web.hooks: there is no counterpart`. */
export const lossLine = ({ effect, service = '-', key, message }: Loss): string =>
  `${effect} ${service}.${key}: ${message}`;

export interface WrittenObjects {
  readonly text: string;
  /** The documents in the text, which is YAML or JSON. */
  readonly objects: readonly unknown[];
  readonly losses: readonly string[];
}

/** Exports one service, `shop/web`, with an image. */
export const exportedService = (
  service: string,
  format: ExportFormat,
  images: Readonly<Record<string, string>> = { '*': 'shop/web:3' },
): WrittenObjects => {
  const lines = service.trim().split('\n');
  const head = 'version: "2"\nprojects:\n  shop:\n    services:\n      web:\n';
  const { files, losses } = exported(
    `${head}${lines.map((line) => `        ${line}\n`).join('')}`,
    format,
    images,
  );
  const text = files.map((file) => file.text).join('');
  const objects = parseAllDocuments(text).map((document) => document.toJS() as unknown);
  return { text, objects, losses: losses.map(lossLine) };
};
