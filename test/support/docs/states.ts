// The generated parts of docs/states.md: what the states mean, the table, and the stories.
import type { Tag } from '../../../src/streams/domain/service/service.ts';
import type { InputType } from '../../../src/streams/service/service-input.ts';
import { TABLE } from '../../../src/streams/service/state-table.ts';
import { ignored, impossible } from '../../../src/streams/service/table-cells.ts';
import { stateWord } from '../../../src/streams/views/words/public-words.ts';
import { ROWS, rowsIn } from '../marble/rows.ts';
import { readStory, storyFiles, storyText } from '../marble/stories.ts';
import { INPUTS, INPUT_TYPES, serviceIn, TAGS } from '../states.ts';
import { tableOf } from './block.ts';
import { MOVES } from './moves.ts';
import { linkTo, pointersIn } from './pointers.ts';

interface Meaning {
  readonly means: string;
  /** The story that shows it, quoted. */
  readonly story: string;
}

const MEANINGS: Readonly<Record<Tag, Meaning>> = {
  down: {
    means: 'nothing of it runs, and it says why: new, stopped, ended well, done, failed or skipped',
    story: 'restart/policy-never',
  },
  scheduled: { means: 'a cron service between two runs', story: 'cron/minute' },
  waiting: {
    means: 'wanted; waits for its dependencies, or for its turn in the gate',
    story: 'start/in-order',
  },
  preparing: { means: 'its skip command or its pre_start runs', story: 'start/pre-start' },
  spawning: { means: 'a process was asked for; its pid is not known yet', story: 'stop/while-spawning' },
  starting: { means: 'alive, not ready yet', story: 'start/stability' },
  up: { means: 'ready', story: 'health/ready' },
  stopping: {
    means: 'being brought to its end, or what is left of it being cleared away; verified before it is over',
    story: 'stop/stragglers',
  },
  'backing-off': { means: 'failed; the next attempt has its time', story: 'restart/backoff-constant' },
  broken: { means: 'given up: the breaker is open (ERR0110)', story: 'restart/breaker-opens' },
  casualty: { means: 'felled by the failure of a dependency; rises with it', story: 'casualty/three-levels' },
};

/** Every word that a service of this state can have in `sup status`. */
const wordsOf = (tag: Tag): string => {
  if (tag === 'down') return '`stopped`, `done`, `failed`, `skipped`, `lost`';
  if (tag === 'up') return '`running`; `stopping` once it is to stop';
  return `\`${stateWord(serviceIn(tag))}\``;
};

export const stateMeanings = (): string =>
  tableOf(
    ['State', 'Word in `sup status`', 'Means'],
    TAGS.map((tag) => [`\`${tag}\``, wordsOf(tag), MEANINGS[tag].means]),
  );

const cellText = (tag: Tag, input: InputType): string => {
  const cell: unknown = TABLE[tag][input];
  if (cell === ignored) return '·';
  if (cell === impossible) return '';
  return typeof cell === 'function' ? cell.name : '?';
};

/** Names of the moves that the table uses, in its order. */
export const movesInUse = (): readonly string[] => [
  ...new Set(
    TAGS.flatMap((tag) => INPUT_TYPES.map((input) => cellText(tag, input))).filter((name) => name.length > 1),
  ),
];

const isNews = (input: InputType): boolean => 'service' in INPUTS[input];

const tablePart = (inputs: readonly InputType[]): string =>
  tableOf(
    ['', ...inputs.map((input) => `\`${input}\``)],
    TAGS.map((tag) => [`**${tag}**`, ...inputs.map((input) => cellText(tag, input))]),
  );

const ORDERS_OF_PEOPLE: readonly InputType[] = ['start', 'stop', 'restart'];

export const stateTable = (): string => {
  const news = INPUT_TYPES.filter(isNews);
  const propagating = INPUT_TYPES.filter((input) => !isNews(input) && !ORDERS_OF_PEOPLE.includes(input));
  return [
    '### Orders of people',
    tablePart(ORDERS_OF_PEOPLE),
    '### Orders of propagation',
    tablePart(propagating),
    '### News of a run',
    tablePart(news.slice(0, 4)),
    tablePart(news.slice(4)),
    '### The moves',
    tableOf(
      ['Move', 'What becomes of it'],
      movesInUse().map((name) => [`\`${name}\``, MOVES[name] ?? '']),
    ),
  ].join('\n\n');
};

const link = (story: string): string => `[${story}](../marbles/${story}.marble)`;

const quote = (story: string): string => ['```', storyText(`${story}.marble`).trim(), '```'].join('\n');

export const stateStories = (): string =>
  TAGS.map((tag) => [`### ${tag}`, quote(MEANINGS[tag].story)].join('\n\n')).join('\n\n');

export const storiesByRow = (): string => {
  const stories = storyFiles().map(readStory);
  const rows = rowsIn(ROWS).map(({ cited, place }) => {
    const told = stories
      .filter(({ spec }) => spec.includes(cited))
      .map(({ name }) => link(name.replace(/\.marble$/, '')));
    return [cited, pointersIn(place).map(linkTo).join(', '), told.join(', ')];
  });
  return tableOf(['Row', 'Stands in', 'Told by'], rows);
};
