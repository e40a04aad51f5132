import { describe, expect, it } from 'vitest';
import { loadFiles, loadText } from '../loading.ts';

describe('a tag on a key', () => {
  it.each(['!include b.yaml : { command: x }', '!foo c: { command: x }'])('is refused: %s', (entry) => {
    const { problems } = loadFiles({
      'sup.yaml': `version: 2\nservices:\n  ${entry}\n`,
      'b.yaml': 'b: { command: x }\n',
    });
    expect(problems).toMatchObject([{ code: 'ERR0217', severity: 'error', line: 3 }]);
    expect(problems[0]?.message).toContain('stands on a key');
  });

  it('may be one that says what the key is anyway', () => {
    expect(loadText('version: 2\nservices: { !!str web: { command: x } }\n').problems).toEqual([]);
  });
});
