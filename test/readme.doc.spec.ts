import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareBlock } from './support/docs/block.ts';
import { accountSample, fallenSample, runningSample } from './support/docs/samples.ts';
import { loadText } from './manifest/loading.ts';

const README = 'README.md';
const QUICK_START = 'docs/quick-start.md';
const PAGES = [README, QUICK_START];

const textOf = (page: string): string => readFileSync(page, 'utf8');

describe('the samples of the first pages', () => {
  it.each([
    ['running', README, runningSample],
    ['fallen', QUICK_START, fallenSample],
    ['account', QUICK_START, accountSample],
  ])('a sample shows what sup prints: %s in %s', async (name, file, generate) => {
    const { written, generated } = await compareBlock({ file, name }, generate());
    expect(written).toBe(generated);
  });
});

const manifestsIn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);

describe('the manifests of the first pages', () => {
  it.each(PAGES.flatMap(manifestsIn))('the manifest of the first pages loads: %s', (text) => {
    expect(loadText(text).problems).toEqual([]);
  });
});
