import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareBlock } from './support/docs/block.ts';
import { legend } from './support/marble/legend.ts';
import { storyText } from './support/marble/stories.ts';

const README = 'marbles/README.md';

describe('marbles/README.md', () => {
  it('has the alphabet that the stories are read with', async () => {
    const { written, generated } = await compareBlock({ file: README, name: 'alphabet' }, legend());
    expect(written).toBe(generated);
  });

  it('quotes its example as it is told', () => {
    expect(readFileSync(README, 'utf8')).toContain(storyText('restart/breaker-opens.marble').trim());
  });
});
