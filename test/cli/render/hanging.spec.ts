import { expect, it } from 'vitest';
import { hanging } from '../../../src/cli/render/paragraphs.ts';

it('a paragraph is indented where it wraps and where it has lines', () => {
  expect(hanging('command  ', 'echo one\nshop/web  running\n')).toEqual([
    'command  echo one',
    '         shop/web  running',
  ]);
  expect(hanging('a  ', `${'x'.repeat(18)} y z`, 23)).toEqual([`a  ${'x'.repeat(18)} y`, '   z']);
});
