import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareBlock } from './support/docs/block.ts';
import { legend } from './support/marble/legend.ts';
import { storyText } from './support/marble/stories.ts';

const README = 'marbles/README.md';

describe('marbles/README.md', () => {
  it('marbles/README.md has the alphabet of the stories', async () => {
    const { written, generated } = await compareBlock({ file: README, name: 'alphabet' }, legend());
    expect(written).toBe(generated);
  });

  it('marbles/README.md quotes its example unchanged', () => {
    expect(readFileSync(README, 'utf8')).toContain(storyText('restart/breaker-opens.marble').trim());
  });
});
