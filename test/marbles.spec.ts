import { describe, expect, it } from 'vitest';
import { drawLanes } from './support/marble/draw.ts';
import { parseMarble } from './support/marble/parse.ts';
import { play } from './support/marble/play.ts';
import { readStory, storyFiles, storyText } from './support/marble/stories.ts';
import type { Story } from './support/marble/story.ts';

/** What fits on a screen. */
const SCREEN = 30;
const files = storyFiles();

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

const alignedLanes = (story: Story): readonly string[] =>
  drawLanes(
    story.lanes.map(({ ticks }) => ticks),
    story.columns,
  );

const writtenLanes = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:in|out) +\S+ +(.*)$/gm)].map(([, lane = '']) => lane.trimEnd());

describe('marbles', () => {
  it.each(files)('%s is played as it is told', (file) => {
    const story = readStory(file);
    const [told, played] = sideBySide(story, play(story).lanes);
    expect(`\n${played}\n`).toBe(`\n${told}\n`);
  });

  it.each(files)('%s passes only states that survive JSON', (file) => {
    for (const state of play(readStory(file)).states)
      expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
  });

  it.each(files)('%s tells nothing in vain, unless it is about late news', (file) => {
    const story = readStory(file);
    const late = story.spec.includes('races: late news of an old run');
    expect(play(story).unheeded.length > 0).toBe(late);
  });

  it.each(files)('%s fits on a screen, its columns under each other', (file) => {
    const text = storyText(file);
    expect(text.split('\n').length).toBeLessThanOrEqual(SCREEN);
    expect(writtenLanes(text)).toEqual(alignedLanes(readStory(file)));
  });
});

const STORY = ['title t', 'spec s', 'frame 250ms', 'service web', 'in cli S---', 'out web.state su--'];
const storyOf = (...lines: readonly string[]): Story => parseMarble(lines.join('\n'), 'x.marble');

describe('a story', () => {
  it('a story fails with its lanes, one under the other', () => {
    const story = storyOf(...STORY.slice(0, -1), 'out web.state s-u-');
    const [told, played] = sideBySide(story, play(story).lanes);
    expect([told, played]).toEqual(['web.state  s-u-', 'web.state  su--']);
  });

  it('a story is refused if it watches a lane without visible facts', () => {
    expect(() => play(storyOf(...STORY, 'out web.sate ----'))).toThrow(/x\.marble:7:1: .*"web\.sate"/);
  });

  it.each(['cli', 'web', 'clock', 'nobody'])(
    'a story is refused if lane %s has an unknown letter',
    (lane) => {
      expect(() => play(storyOf(...STORY, `in ${lane} --E-`))).toThrow(/nobody knows "E"/);
    },
  );

  it('a story is refused if its declaration is invalid', () => {
    expect(() => play(storyOf(...STORY, 'service api backoff=soon'))).toThrow(/x\.marble: .*soon/);
  });

  it('a story is refused if it sets an unknown option', () => {
    expect(() => play(storyOf(...STORY, 'settings max_concurent=1'))).toThrow(/max_concurent/);
  });
});
