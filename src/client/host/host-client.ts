// What the library uses of another machine: its control socket, and documents that commands print there.
import { ownEnvironment } from '../../os/process-environment.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { LogDocument } from '../../streams/wire/documents/basic-documents.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import { fieldsIn, type Fields } from '../../streams/wire/checked-fields.ts';
import { namesOf } from '../api/checked-input.ts';
import type { ConfigOptions, Sup } from '../api/sup-interface.ts';
import { type Client, connect, type ConnectOptions } from '../client.ts';
import { ClientFailure, failedWith } from '../client-failure.ts';
import { lineFeed } from '../feed.ts';
import type { EventQuery, LogQuery, Moment } from '../line-feeds.ts';
import { decodeFrame, type DialFrame, isErrorDocument } from './dial-frames.ts';
import { runOn } from './remote-run.ts';
import { dialHost, type HostPlace, hostPlace, type SshOptions } from './ssh-line.ts';

/** A program cannot be asked for a password. */
const optionsNow = (): SshOptions => ({ asks: false, environment: ownEnvironment() });

/** Connects to the control socket there. Rejects with ERR0230 to ERR0236, ERR0206 or ERR0701. */
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

interface OutputLine {
  readonly tag: 'out' | 'err';
  readonly text: string;
}

const NO_SCREEN = { terminal: false };

/** Throws the error of a document, if it is one of an error. */
const throwError = ({ error }: Fields): void => {
  if (isErrorDocument(error)) throw new ClientFailure(error);
};

/** Yields the whole lines of both outputs. */
async function* linesOf(frames: AsyncIterable<DialFrame>): AsyncGenerator<OutputLine> {
  const rest = { out: '', err: '' };
  for await (const frame of frames) {
    if (frame.tag !== 'out' && frame.tag !== 'err') continue;
    const { tag } = frame;
    const lines = (rest[tag] + frame.text).split('\n');
    rest[tag] = lines.pop() ?? '';
    for (const text of lines) yield { tag, text };
  }
}

/** Yields each document that a command prints there, until it ends or the signal aborts. */
async function* documentsOf(
  place: HostPlace,
  line: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<Fields> {
  const screens = { stdout: NO_SCREEN, stderr: NO_SCREEN, keyboard: false, environment: {}, manifests: [] };
  const run = await runOn(place, { line: [...line, '--json'], ...screens }, optionsNow());
  signal?.addEventListener('abort', run.close, { once: true });
  try {
    for await (const { tag, text } of linesOf(run.frames())) {
      const document = fieldsIn(text) ?? {};
      if (tag === 'out') yield document;
      else throwError(document);
    }
  } catch (thrown) {
    if (signal?.aborted !== true) throw thrown;
  } finally {
    run.close();
  }
}

const wordsOf = ({ services = [], projects = [], manifest }: Selection): readonly string[] => [
  ...services.flatMap((service) => ['-s', service]),
  ...projects.flatMap((project) => ['-p', project]),
  ...(manifest === undefined ? [] : ['-c', manifest]),
];

const given = (option: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${option}=${value}`];

const momentOf = (moment: Moment | undefined): string | undefined =>
  moment instanceof Date ? moment.toISOString() : moment;

const rangeOf = ({
  since,
  until,
}: {
  readonly since?: Moment;
  readonly until?: Moment;
}): readonly string[] => [...given('since', momentOf(since)), ...given('until', momentOf(until))];

const logWords = ({ lines, grep, stream, follow = true, ...range }: LogQuery): readonly string[] => [
  ...(follow ? ['--follow'] : []),
  ...rangeOf(range),
  ...given('lines', lines),
  ...given('grep', grep?.source),
  ...(grep?.ignoreCase === true ? ['--ignore-case'] : []),
  ...given('stream', stream),
];

const eventWords = ({ kinds = [], last, ...range }: EventQuery): readonly string[] => [
  ...rangeOf(range),
  ...kinds.flatMap((kind) => given('kind', kind)),
  ...given('lines', last),
];

type Question = 'status' | 'inspect' | 'why' | 'wait' | 'config' | 'validate' | 'kill' | 'reload' | 'exec';
type Members = Pick<Sup, Question | 'events' | 'logs$' | 'events$'>;

/** Returns the place that is written. Throws a `RangeError` if it is none. */
const placeIn = (host: string): HostPlace => {
  const place = hostPlace(host);
  if (place === undefined) throw new RangeError(`"${host}" names no machine`);
  return place;
};

/** Reads the documents of one schema that a command line prints there. */
type Read = <T>(schema: string, line: readonly string[], signal?: AbortSignal) => AsyncGenerator<T>;

const feedsOn = (all: Read): Pick<Members, 'events' | 'events$' | 'logs$'> => ({
  events: async (selection = {}, query = {}) => {
    const events: EventDocument[] = [];
    const line = ['events', ...wordsOf(selection), ...eventWords(query)];
    for await (const event of all<EventDocument>('sup.event/1', line)) events.push(event);
    return events;
  },
  events$: lineFeed((signal) => all('sup.event/1', ['events', '--follow', '--lines=0'], signal)),
  logs$: (selection = {}, query = {}) =>
    lineFeed((signal) =>
      all<LogDocument>('sup.log/1', ['logs', ...wordsOf(selection), ...logWords(query)], signal),
    ),
});

/** Returns the words for the files and profiles of a manifest there. */
const readingWords = ({ manifest, files = [], profiles = [] }: ConfigOptions): readonly string[] => {
  const paths = [...(manifest === undefined ? [] : [manifest]), ...files];
  return [
    ...paths.flatMap((file) => given('config', file)),
    ...profiles.flatMap((profile) => given('profile', profile)),
  ];
};

/** Asks for the one document of this schema that the command line prints there. */
type Ask = <T>(schema: string, line: readonly string[]) => Promise<T>;

const questionsOn = (ask: Ask): Pick<Members, Question> => ({
  status: (selection = {}) => ask('sup.status/1', ['status', ...wordsOf(selection)]),
  inspect: (selection = {}, { windowMs } = {}) => {
    const window = given('window', windowMs === undefined ? undefined : `${windowMs}ms`);
    return ask('sup.inspect/1', ['inspect', ...wordsOf(selection), ...window]);
  },
  why: (selection = {}) => ask('sup.why/1', ['why', ...wordsOf(selection)]),
  wait: (selection = {}, { for: goal, timeoutMs } = {}) => {
    const time = given('timeout', timeoutMs === undefined ? undefined : `${timeoutMs}ms`);
    return ask('sup.wait/1', ['wait', ...wordsOf(selection), ...given('for', goal), ...time]);
  },
  config: ({ project, origins = false, ...reading } = {}) =>
    ask('sup.config/1', [
      'config',
      ...readingWords(reading),
      ...given('project', project),
      ...(origins ? ['--origin'] : []),
    ]),
  validate: (reading = {}) => ask('sup.problems/1', ['validate', ...readingWords(reading)]),
  kill: async (selection, { signal } = {}) =>
    ask('sup.done/1', ['kill', ...given('signal', signal), ...namesOf(selection)]),
  reload: async (selection) => ask('sup.done/1', ['reload', ...namesOf(selection)]),
  exec: () =>
    Promise.reject(
      failedWith({ code: 'ERR0200', detail: 'exec runs no command on another machine: use ssh' }),
    ),
});

/** Returns a connection to the supervisor there, and what commands answer there. */
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
  const ask: Ask = async <T>(schema: string, line: readonly string[]) => {
    for await (const document of all<T>(schema, line)) return document;
    throw failedWith({ code: 'ERR0234', host: place.destination });
  };
  return {
    open: () => connectOn(place, { sys, ...options }),
    members: { ...questionsOn(ask), ...feedsOn(all) },
  };
};
