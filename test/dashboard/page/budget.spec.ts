// The size of the page, and what a strict Content-Security-Policy asks of it.
import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

interface Script {
  readonly pageFiles: () => Promise<ReadonlyMap<string, string>>;
}

const { pageFiles } = (await import(new URL('../../../scripts/page.js', import.meta.url).href)) as Script;
const files = await pageFiles();
const textOf = (name: string): string => files.get(name) ?? '';
const zipped = (text: string): number => gzipSync(text, { level: 9 }).length;
const KB = 1_000;

const librariesAlone = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents: [
        'import { render } from "preact";',
        'import { useEffect, useMemo, useRef, useState } from "preact/hooks";',
        'import uPlot from "uplot";',
        'import Anser from "anser";',
        'export const used = [render, useEffect, useMemo, useRef, useState, uPlot, Anser];',
      ].join('\n'),
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
  });
  return outputFiles[0]?.text ?? '';
};

describe('the files of the page', () => {
  it('the whole page is at most 80 KB, compressed', () => {
    const sum = ['index.html', 'page.js', 'page.css'].reduce((all, name) => all + zipped(textOf(name)), 0);
    expect(sum).toBeGreaterThan(10 * KB);
    expect(sum).toBeLessThanOrEqual(80 * KB);
  });

  it('Preact, uPlot and anser together are about 31 KB, compressed', async () => {
    expect(zipped(await librariesAlone())).toBeLessThanOrEqual(33 * KB);
  });

  it('the page has no inline script, no inline style, and names no other machine', () => {
    const html = textOf('index.html');
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+=|\sstyle=|https?:/);
    expect(textOf('page.css')).not.toMatch(/url\(|@import/);
  });

  it('the licence of each package comes with the page', () => {
    const licences = textOf('licences.txt');
    for (const name of ['preact', 'rxjs']) expect(licences).toMatch(new RegExp(`^${name}$`, 'm'));
    expect(licences).toMatch(/Permission is hereby granted/);
  });
});
