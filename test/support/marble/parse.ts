// Reads a `.marble` file. What its letters mean is for others to say. Complaints name file, line and column.
import type { Ms } from '../../../src/streams/domain/time.ts';
import { durationOf } from './duration.ts';
import { cellsOf, columnsOf, ticksOf, type Cell } from './lane.ts';
import { linesOf, named, optionsOf, type Line } from './line.ts';
import { complain, type Lane, type Place, type Story, type StoryService } from './story.ts';

const serviceOf = (line: Line): StoryService => {
  const [name, options] = named(line);
  return { name, options: optionsOf(options) };
};

/** All lanes, on the columns of the one that has most of them. */
const lanesOf = (lines: readonly Line[], frameMs: Ms): Pick<Story, 'lanes' | 'columns'> => {
  const lanes = lines.map((line) => {
    const [name, { rest, place }] = named(line);
    return { line, name, cells: cellsOf(rest, place) };
  });
  const none: readonly Cell[] = [];
  const longest = lanes.reduce((most, { cells }) => (cells.length > most.length ? cells : most), none);
  const columns = columnsOf(longest, frameMs);
  const placed = lanes.map(({ line, name, cells }): Lane => {
    const direction = line.word === 'in' ? 'in' : 'out';
    return { direction, name, line: line.place.line, ticks: ticksOf(cells, columns) };
  });
  return { lanes: placed, columns };
};

/** Finds the lines that begin with a word. */
class Lines {
  readonly #lines: readonly Line[];
  readonly #end: Place;

  constructor(text: string, file: string) {
    this.#lines = linesOf(text, file);
    this.#end = { file, line: text.split('\n').length, column: 1 };
  }

  all(...words: readonly string[]): readonly Line[] {
    return this.#lines.filter(({ word }) => words.includes(word));
  }

  some(word: string): readonly [Line, ...Line[]] {
    const [first, ...rest] = this.all(word);
    if (!first || first.rest === '') throw complain(first?.place ?? this.#end, `a story needs its "${word}"`);
    return [first, ...rest];
  }

  one(word: string): Line {
    const [line, second] = this.some(word);
    if (second) throw complain(second.place, `a second "${word}"`);
    return line;
  }
}

const frameOf = ({ rest, place }: Line): Ms => {
  const frame = durationOf(rest);
  if (frame === undefined) throw complain(place, `"${rest}" is not a duration such as 250ms`);
  return frame;
};

export const parseMarble = (text: string, name: string): Story => {
  const lines = new Lines(text, name);
  const title = lines.one('title').rest;
  const spec = lines.some('spec').flatMap(({ rest }) => rest.split(/\s*;\s*/));
  const frameMs = frameOf(lines.one('frame'));
  lines.some('out');
  return {
    name,
    title,
    spec,
    frameMs,
    ...(lines.all('clock').length > 0 ? { clock: lines.one('clock').rest } : {}),
    settings: Object.fromEntries(lines.all('settings').flatMap((line) => Object.entries(optionsOf(line)))),
    services: lines.all('service').map(serviceOf),
    ...lanesOf(lines.all('in', 'out'), frameMs),
  };
};
