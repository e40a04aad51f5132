// The generated parts of docs/states.md: what the states mean, the table, and the stories.
import type { Tag } from '../../../src/streams/domain/service/service.ts';
import type { InputType } from '../../../src/streams/service/service-input.ts';
import { ignored, impossible, TABLE } from '../../../src/streams/service/state-table.ts';
import { stateWord } from '../../../src/streams/views/words/public-words.ts';
import { ROWS, rowsIn } from '../marble/rows.ts';
import { readStory, storyFiles, storyText } from '../marble/stories.ts';
import { INPUTS, INPUT_TYPES, serviceIn, TAGS } from '../states.ts';
import { tableOf } from './block.ts';
import { MOVES } from './moves.ts';
import { linkTo, pointersIn } from './pointers.ts';

interface Meaning {
  readonly means: string;
  /** Name of the story that docs/states.md quotes for this state. */
  readonly story: string;
}

const MEANINGS: Readonly<Record<Tag, Meaning>> = {
  down: {
    means:
      'no process of the service runs; the state has the reason: new, stopped, exited without a failure, done, failed or skipped',
    story: 'restart/policy-never',
  },
  scheduled: { means: 'a cron service waits for its next scheduled time', story: 'cron/minute' },
  waiting: {
    means:
      'the service must start, and waits for its dependencies or for its turn in the gate (`start/max_concurrent`)',
    story: 'start/in-order',
  },
  preparing: { means: 'its `skip` or `pre_start` command runs', story: 'start/pre-start' },
  spawning: { means: 'its process is being created; the pid is not known yet', story: 'stop/while-spawning' },
  starting: { means: 'its process is alive, but not ready yet', story: 'start/stability' },
  up: { means: 'its process is alive and ready', story: 'health/ready' },
  stopping: {
    means: 'the processes of its run are being ended; the state ends only when none of them is alive',
    story: 'stop/stragglers',
  },
  'backing-off': {
    means: 'the run ended; the service starts again when its backoff is over',
    story: 'restart/backoff-constant',
  },
  broken: {
    means: 'the run failed, and no automatic restart is left: the breaker is open (ERR0110)',
    story: 'restart/breaker-opens',
  },
  casualty: {
    means:
      'the service was stopped because a dependency failed; it starts again when the dependency is ready',
    story: 'casualty/three-levels',
  },
};

/** Returns every word that a service in this state can have in `sup status`. */
const wordsOf = (tag: Tag): string => {
  if (tag === 'down') return '`stopped`, `done`, `failed`, `skipped`, `lost`';
  if (tag === 'up') return '`running`; `stopping` if it must stop';
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

/** Returns the names of the functions in the cells of the table, each once, in the order of the table. */
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
    '### Orders from commands',
    tablePart(ORDERS_OF_PEOPLE),
    '### Orders from rules',
    tablePart(propagating),
    '### News of a run',
    tablePart(news.slice(0, 4)),
    tablePart(news.slice(4)),
    '### What the cells mean',
    tableOf(
      ['Cell', 'What the input does'],
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
  return tableOf(['Rule', 'Stated in', 'Proved by'], rows);
};
