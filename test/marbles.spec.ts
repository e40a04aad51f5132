import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawLanes } from './support/marble/draw.ts';
import { parseMarble } from './support/marble/parse.ts';
import { play } from './support/marble/play.ts';
import type { Story } from './support/marble/story.ts';

const files = readdirSync('marbles', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.marble'))
  .sort();

const read = (file: string): Story => parseMarble(readFileSync(join('marbles', file), 'utf8'), file);

/** The output lanes, as they were told and as they were played: two lanes to compare by eye. */
const sideBySide = (story: Story, lanes: ReturnType<typeof play>['lanes']): readonly [string, string] => {
  const told = story.lanes.filter(({ direction }) => direction === 'out');
  const width = Math.max(...told.map(({ name }) => name.length));
  const drawn = drawLanes(
    told.flatMap(({ name, ticks }) => [ticks, lanes.get(name) ?? []]),
    story.columns,
  );
  const pick = (offset: 0 | 1): string =>
    told.map(({ name }, index) => `${name.padEnd(width)}  ${drawn[2 * index + offset] ?? ''}`).join('\n');
  return [pick(0), pick(1)];
};

describe('marbles', () => {
  it('are told', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(files)('%s', (file) => {
    const story = read(file);
    const [told, played] = sideBySide(story, play(story).lanes);
    expect(`\n${played}\n`).toBe(`\n${told}\n`);
  });

  it.each(files)('%s passes only states that survive JSON', (file) => {
    for (const state of play(read(file)).states)
      expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
  });
});
