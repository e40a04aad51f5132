import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareBlock } from './support/docs/block.ts';
import { hookTables } from './support/docs/hooks.ts';
import { loadText } from './manifest/loading.ts';

const FILE = 'docs/hooks.md';
const examples = [...readFileSync(FILE, 'utf8').matchAll(/```yaml\n([^]*?)```/g)].map(
  ([, text = '']) => text,
);

describe('docs/hooks.md', () => {
  it('docs/hooks.md has the hook matrix of the code', async () => {
    const { written, generated } = await compareBlock({ file: FILE, name: 'matrix' }, hookTables());
    expect(written).toBe(generated);
  });

  it('docs/hooks.md has examples of both forms', () => {
    expect(examples.join()).toMatch(/onerr[^]*on_stop/);
  });

  it.each(examples)('docs/hooks.md has examples that load: %s', (example) => {
    expect(loadText(example).problems).toEqual([]);
  });
});
