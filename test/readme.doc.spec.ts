import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareBlock } from './support/docs/block.ts';
import { accountSample, fallenSample, runningSample } from './support/docs/samples.ts';
import { loadText } from './manifest/loading.ts';

const FILE = 'README.md';
const PAGES = [FILE, 'docs/quick-start.md'];

const textOf = (page: string): string => readFileSync(page, 'utf8');

describe('the samples of the README', () => {
  it.each([
    ['running', runningSample],
    ['fallen', fallenSample],
    ['account', accountSample],
  ])('show what sup prints: %s', async (name, generate) => {
    const { written, generated } = await compareBlock({ file: FILE, name }, generate());
    expect(written).toBe(generated);
  });
});

const manifestsIn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);

describe('the manifests that people are shown first', () => {
  it.each(PAGES.flatMap(manifestsIn))('load: %s', (text) => {
    expect(loadText(text).problems).toEqual([]);
  });
});
