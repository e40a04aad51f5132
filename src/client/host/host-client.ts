// Access of the library to another machine: to its control socket, and to documents that `sup` prints there.
import type { Selection } from '../../streams/domain/command.ts';
import type { LogDocument } from '../../streams/wire/documents/basic-documents.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import { shown } from '../../streams/wire/params/checked-fields.ts';
import {
  eventQuery,
  givenSelection,
  logQuery,
  optionsOf,
  pathThere,
  selected,
  wrong,
} from '../api/checked-input.ts';
import { manifestWords, optionWord, selectionWords } from '../api/command-words.ts';
import type { Patience, Sup } from '../api/sup-interface.ts';
import { type Client, connect, type ConnectOptions } from '../client.ts';
import { ClientFailure, failedWith } from '../client-failure.ts';
import { lineFeed } from '../feed.ts';
import type { EventQuery, LogQuery, Moment } from '../line-feeds.ts';
import { decodeFrame } from './dial-frames.ts';
import { documentsOf, optionsNow, within } from './remote-documents.ts';
import { dialHost, type HostPlace, hostPlace } from './ssh-line.ts';

/** Connects to the control socket on another machine. Rejects with ERR0230 to ERR0236, ERR0206 or ERR0701. */
const connectOn = async (
  { host, destination, dataDir }: HostPlace,
  { sys = false, ...options }: Pick<ConnectOptions, 'origin'> & { readonly sys?: boolean | undefined },
): Promise<Client> => {
  const line = await dialHost(destination, optionsNow());
  try {
    line.send({ ask: 'control', sys, ...(dataDir !== undefined && { dataDir }) });
    const frame = decodeFrame(await line.next());
    if (frame?.tag === 'refused') throw new ClientFailure(frame.error);
    const client = await connect(host, { ...options, stream: await line.stream() });
    void client.ended.then(line.close);
    return client;
  } catch (thrown) {
    line.close();
    throw thrown;
  }
};

/** Returns the words for a selection. Throws ERR0200 for a wrong selection, before ssh is started. */
const wordsOf = (selection: Selection | undefined): readonly string[] =>
  selectionWords(selected(selection, pathThere));

const givenWords = (selection: Selection): readonly string[] =>
  selectionWords(givenSelection(selection, pathThere));

/** The largest number that the option `--lines` accepts. */
const MOST_LINES = 999_999_999;
/** The largest number in a duration on a command line, such as `999999s`. */
const LARGEST_LENGTH = 999_999;

/** Returns the word for an option with a duration in ms. Returns no word for 0, Infinity or no duration. */
const lengthWord = (option: string, length = 0): readonly string[] => {
  if (length === 0 || length === Infinity) return [];
  const isShort = length <= LARGEST_LENGTH;
  const amount = Math.ceil(isShort ? length : Math.min(LARGEST_LENGTH, length / 1_000));
  return optionWord(option, `${amount}${isShort ? 'ms' : 's'}`);
};

/** Returns the word for the number of last lines. Infinity means all lines. */
const countWord = (count: number | undefined): readonly string[] =>
  optionWord('lines', count === Infinity ? MOST_LINES : count);

const momentOf = (moment: Moment | undefined): string | undefined =>
  moment instanceof Date ? moment.toISOString() : moment;

const rangeOf = ({
  since,
  until,
}: {
  readonly since?: Moment;
  readonly until?: Moment;
}): readonly string[] => [...optionWord('since', momentOf(since)), ...optionWord('until', momentOf(until))];

const logWords = ({ lines, grep, stream, follow = true, ...range }: LogQuery): readonly string[] => [
  ...(follow ? ['--follow'] : []),
  ...rangeOf(range),
  ...countWord(lines),
  ...optionWord('grep', grep?.source),
  ...(grep?.ignoreCase === true ? ['--ignore-case'] : []),
  ...optionWord('stream', stream),
];

const eventWords = ({ kinds = [], last, ...range }: EventQuery): readonly string[] => [
  ...rangeOf(range),
  ...kinds.flatMap((kind) => optionWord('kind', kind)),
  ...countWord(last),
];

type Question = 'status' | 'inspect' | 'why' | 'wait' | 'config' | 'validate' | 'kill' | 'reload' | 'exec';
type Members = Pick<Sup, Question | 'events' | 'logs$' | 'events$'>;

/** Returns the machine and data directory that the text names. Throws ERR0200 if it names no machine. */
const placeIn = (host: string): HostPlace => {
  const place = hostPlace(host);
  if (place === undefined) throw wrong(`options.host: ${shown(host)} names no machine`);
  return place;
};

/**
 * Runs a command line on the other machine and yields the documents of this schema that the command prints.
 */
type Read = <T>(schema: string, line: readonly string[], signal?: AbortSignal) => AsyncGenerator<T>;

const feedsOn = (all: Read): Pick<Members, 'events' | 'events$' | 'logs$'> => ({
  events: async (selection, query) => {
    const events: EventDocument[] = [];
    const line = ['events', ...wordsOf(selection), ...eventWords(eventQuery(query))];
    for await (const event of all<EventDocument>('sup.event/1', line)) events.push(event);
    return events;
  },
  events$: lineFeed((signal) => all('sup.event/1', ['events', '--follow', '--lines=0'], signal)),
  logs$: (selection, query) =>
    lineFeed((signal) => {
      const words = [...wordsOf(selection), ...logWords(logQuery(query))];
      return all<LogDocument>('sup.log/1', ['logs', ...words], signal);
    }),
});

/**
 * Runs a command line on the other machine. Resolves to the first document of this schema that the command
 * prints.
 */
type Ask = <T>(schema: string, line: readonly string[], patience?: Patience) => Promise<T>;

const questionsOn = (ask: Ask): Pick<Members, Question> => ({
  status: async (selection) => ask('sup.status/1', ['status', ...wordsOf(selection)]),
  inspect: async (selection, options) => {
    const { windowMs } = optionsOf(options, 'windowMs');
    return ask('sup.inspect/1', ['inspect', ...wordsOf(selection), ...lengthWord('window', windowMs)]);
  },
  why: async (selection) => ask('sup.why/1', ['why', ...wordsOf(selection)]),
  wait: async (selection, options) => {
    const { for: goal, timeoutMs } = optionsOf(options, 'for', 'timeoutMs');
    const words = [...optionWord('for', goal), ...lengthWord('timeout', timeoutMs)];
    return ask('sup.wait/1', ['wait', ...wordsOf(selection), ...words]);
  },
  config: async (options) => {
    const keys = ['manifest', 'profiles', 'files', 'project', 'origins'] as const;
    const { project, origins = false, ...reading } = optionsOf(options, ...keys);
    const words = [...optionWord('project', project), ...(origins ? ['--origin'] : [])];
    return ask('sup.config/1', ['config', ...manifestWords(reading, pathThere), ...words]);
  },
  validate: async (options) => {
    const reading = optionsOf(options, 'manifest', 'profiles', 'files');
    return ask('sup.problems/1', ['validate', ...manifestWords(reading, pathThere)]);
  },
  kill: async (selection, options) => {
    const { signal, ...patience } = optionsOf(options, 'signal', 'timeoutMs');
    return ask('sup.done/1', ['kill', ...optionWord('signal', signal), ...givenWords(selection)], patience);
  },
  reload: async (selection, options) =>
    ask('sup.done/1', ['reload', ...givenWords(selection)], optionsOf(options, 'timeoutMs')),
  exec: () => Promise.reject(wrong('exec runs no command on another machine: use ssh')),
});

/** Returns a function that connects to the supervisor on a machine, and the calls that run `sup` there. */
export const hostClient = (
  host: string,
  { sys = false, ...options }: Pick<ConnectOptions, 'origin'> & { readonly sys?: boolean },
): { readonly open: () => Promise<Client>; readonly members: Members } => {
  const place = placeIn(host);
  const whose = sys ? ['--sys'] : [];
  const all: Read = async function* <T>(schema: string, line: readonly string[], signal?: AbortSignal) {
    for await (const document of documentsOf(place, [...line, ...whose], signal))
      if (document['schema'] === schema) yield document as T;
  };
  const ask: Ask = <T>(schema: string, line: readonly string[], patience: Patience = {}) => {
    const first = async (signal: AbortSignal): Promise<T> => {
      for await (const document of all<T>(schema, line, signal)) return document;
      throw failedWith({ code: 'ERR0234', host: place.destination });
    };
    return within(first, patience, line[0] ?? '');
  };
  return {
    open: () => connectOn(place, { sys, ...options }),
    members: { ...questionsOn(ask), ...feedsOn(all) },
  };
};
