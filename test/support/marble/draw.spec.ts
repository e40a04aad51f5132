import { describe, expect, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { drawLanes } from './draw.ts';
import { parseMarble } from './parse.ts';
import type { Tick } from './story.ts';

const story = (...lanes: readonly string[]) =>
  parseMarble(['title t', 'spec s', 'frame 250ms', ...lanes].join('\n'), 'x.marble');
const tick = (at: number, ...labels: readonly string[]): Tick => ({ at: ms(at), labels });

describe('drawLanes', () => {
  it('drawLanes returns what was parsed, aligned', () => {
    const { lanes, columns } = story('in a S-(xyz)-[5m]-q', 'out b -(PQ)--[5m]B-');
    expect(
      drawLanes(
        lanes.map(({ ticks }) => ticks),
        columns,
      ),
    ).toEqual(['S-   (xyz)-[5m]-q', '-(PQ)-    -[5m]B-']);
  });

  it('drawLanes groups events of one time, in their order', () => {
    const { columns } = story('out a ---');
    expect(drawLanes([[tick(250, 'b'), tick(250, 'a')]], columns)).toEqual(['-(ba)-']);
  });

  it.each([
    ['between two frames', tick(300, 'x'), '--<x@300ms>-[5m]-'],
    ['at the beginning of a jump', tick(750, 'x'), '---[5m]<x@750ms>-'],
    ['inside a jump', tick(60_000, 'x', 'y'), '---[5m]<xy@60000ms>-'],
    ['after the end', tick(301_000, 'x'), '---[5m]-<x@301000ms>'],
  ])('drawLanes shows what happens %s, with its time', (_, stray, drawn) => {
    const { columns } = story('out a ---[5m]-');
    expect(drawLanes([[stray]], columns)).toEqual([drawn]);
  });

  it('drawLanes draws a lane that parses to the same story again', () => {
    const text = 'out a (ab)-c--[2h]--d(ef)-';
    const { lanes, columns } = story(text);
    const [drawn = ''] = drawLanes(
      lanes.map(({ ticks }) => ticks),
      columns,
    );
    expect(story(`out a ${drawn}`).lanes).toEqual(lanes);
  });
});
