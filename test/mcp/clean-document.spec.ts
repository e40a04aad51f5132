import { expect, it } from 'vitest';
import { cleanDocument } from '../../src/mcp/tools/clean-document.ts';

const ADDRESS = 'https://user:verysecretpassword@host/';

it.each(Array.from({ length: ADDRESS.length }, (_, at) => 2_000 - at))(
  'shows no part of a password that begins near the end of a cut text: after %i characters',
  (before) => {
    const { line } = cleanDocument({
      line: `${'x '.repeat(before).slice(0, before)}${ADDRESS}${'y'.repeat(50)}`,
    });
    expect(line.length).toBeLessThan(2_050);
    expect(line).not.toContain('very');
  },
);
