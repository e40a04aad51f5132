import { describe, expect, it } from 'vitest';
import { parseMarble } from './parse.ts';

const STORY = `# A comment, and an empty line

title    A crashing service is restarted
spec     running → restarting; ERR0110
spec     Limits: Restart budget
frame    250ms
clock    2026-03-29T00:59:00Z
settings max_concurrent=1
service  web   restart_policy=always command="sleep 1; true"
service  api

in   cli         S   ---[5m]--
in   web         -o  -x
out  web.effect  (PQ)--H[5m]-B
`;

const header = 'title t\nspec s\nframe 1s\n';
const parse = (lanes: string) => parseMarble(`${header}${lanes}`, 'x.marble');

describe('parseMarble', () => {
  const story = parseMarble(STORY, 'breaker.marble');

  it('parseMarble reads the header', () => {
    expect(story).toMatchObject({
      name: 'breaker.marble',
      title: 'A crashing service is restarted',
      spec: ['running → restarting', 'ERR0110', 'Limits: Restart budget'],
      frameMs: 250,
      clock: '2026-03-29T00:59:00Z',
      settings: { max_concurrent: '1' },
    });
  });

  it('parseMarble reads each service with its options, quoted or not', () => {
    expect(story.services).toEqual([
      { name: 'web', options: { restart_policy: 'always', command: 'sleep 1; true' } },
      { name: 'api', options: {} },
    ]);
  });

  it('parseMarble reads the events of each lane with their times, whatever the spaces', () => {
    expect(story.lanes).toEqual([
      { direction: 'in', name: 'cli', line: 12, ticks: [{ at: 0, labels: ['S'] }] },
      {
        direction: 'in',
        name: 'web',
        line: 13,
        ticks: [
          { at: 250, labels: ['o'] },
          { at: 750, labels: ['x'] },
        ],
      },
      {
        direction: 'out',
        name: 'web.effect',
        line: 14,
        ticks: [
          { at: 0, labels: ['P', 'Q'] },
          { at: 750, labels: ['H'] },
          { at: 301_250, labels: ['B'] },
        ],
      },
    ]);
  });

  it('parseMarble knows the columns of the longest lane', () => {
    expect(story.columns).toEqual([
      { at: 0, span: 250 },
      { at: 250, span: 250 },
      { at: 500, span: 250 },
      { at: 750, span: 250 },
      { at: 1_000, span: 300_000, jump: '[5m]' },
      { at: 301_000, span: 250 },
      { at: 301_250, span: 250 },
    ]);
  });

  it('parseMarble accepts a lane without events', () => {
    expect(parse('out web\n').lanes).toEqual([{ direction: 'out', name: 'web', line: 4, ticks: [] }]);
  });
});

describe('errors of parseMarble', () => {
  it.each([
    ['a story without its title', 'spec s\nframe 1s\nout a -', 'x.marble:3:1: a story needs its "title"'],
    ['a story without its spec', 'title t\nframe 1s\nout a -', 'x.marble:3:1: a story needs its "spec"'],
    ['a title that is empty', 'title\nspec s\nframe 1s\nout a -', 'x.marble:1:6: a story needs its "title"'],
    ['a second frame', `${header}frame 2s\nout a -`, 'x.marble:4:7: a second "frame"'],
    ['a frame without unit', 'title t\nspec s\nframe 5\nout a -', 'x.marble:3:7: "5" is not a duration'],
    ['a story that expects nothing', `${header}in cli S`, 'x.marble:4:1: a story needs its "out"'],
    ['an unknown word', `${header}lane a -`, 'x.marble:4:1: "lane" is none of title, spec'],
    ['an option without value', `${header}service web a=1 b\nout a -`, 'x.marble:4:17: "b" is not key=value'],
    ['a service without name', `${header}service\nout a -`, 'x.marble:4:8: "service" needs a name'],
  ])('parseMarble reports %s', (_, text, complaint) => {
    expect(() => parseMarble(text, 'x.marble')).toThrow(complaint);
  });

  it.each([
    ['a letter that is none', 'out a --§-', 'x.marble:4:9: unexpected "§"'],
    ['a group that is not closed', 'out a -(ab', 'x.marble:4:8: unexpected "("'],
    ['an empty group', 'out a  -()', 'x.marble:4:9: unexpected "("'],
    ['quiet frames in a group', 'out a (a-b)', 'x.marble:4:7: unexpected "("'],
    ['a jump of no length', 'out a -[0s]', 'x.marble:4:8: "[0s]" is not a jump'],
    ['a jump without unit', 'out a -[5]', 'x.marble:4:8: "[5]" is not a jump'],
    [
      'a jump that another lane does not make',
      'in a -[5m]-\nout b ---',
      'x.marble:5:8: every lane jumps at the same',
    ],
    ['a jump of another length', 'in a -[5m]-\nout b -[6m]', 'x.marble:5:8: every lane jumps at the same'],
  ])('parseMarble reports %s with its column', (_, lanes, complaint) => {
    expect(() => parse(lanes)).toThrow(complaint);
  });
});
