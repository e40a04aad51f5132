// The tools `logs` and `events`: what services have printed, and what has happened to them.
import { projectId, serviceId, shownId } from '../../streams/domain/ids.ts';
import { byText } from '../../streams/views/words/cause-text.ts';
import type { LogDocument } from '../../streams/wire/documents/basic-documents.ts';
import { EVENT_KINDS, type EventDocument } from '../../streams/wire/documents/event-document.ts';
import { cleanDocument, quoted, textOf, UNTRUSTED } from './clean-document.ts';
import { newestPage, newestWithin } from './paging.ts';
import { countText, misunderstood, SELECTING, selectionIn, type AgentTool } from './tool.ts';
import { type Arguments, countIn, namesIn, textIn } from './tool-arguments.ts';

const RANGE = {
  since: { type: 'text', describe: 'Nothing older: an ISO time, 22:40, today, or an age such as 10m' },
  until: { type: 'text', describe: 'Nothing newer; as since' },
} as const;

const rangeIn = (given: Arguments): { readonly since?: string; readonly until?: string } => {
  const [since, until] = [textIn(given, 'since'), textIn(given, 'until')];
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
};

/**
 * Returns ERR0243 for a `RangeError`, which means that an argument is not a time. Returns any other error
 * unchanged.
 */
const timed = (thrown: unknown, call: string): unknown =>
  thrown instanceof RangeError ? misunderstood(call, thrown.message) : thrown;

/** Maximum number of characters of all lines in one result together. */
const LONGEST_OUTPUT = 20_000;

const lineOf = ({ at, project, service, stream, text }: LogDocument): string =>
  `${at ?? 'unknown time'} ${shownId(serviceId(projectId(project), service))} ${stream}: ${text}`;

/** Returns a regular expression that matches exactly this text, in upper or lower case. */
const literally = (text: string): RegExp => new RegExp(text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'i');

const queryIn = (given: Arguments, lines: number): object => {
  const [contains, stream] = [textIn(given, 'contains'), textIn(given, 'stream')];
  return {
    ...{ lines, follow: false, ...rangeIn(given) },
    ...(contains !== undefined && { grep: literally(contains) }),
    ...(stream !== undefined && { stream }),
  };
};

export const LOGS: AgentTool = {
  name: 'logs',
  title: 'Output of services',
  describe: `The last lines that services printed, also of services that ended. ${UNTRUSTED} Documents: sup.log/1.`,
  takes: {
    ...SELECTING,
    lines: {
      type: 'count',
      describe: 'The newest lines, of all services together',
      least: 1,
      most: 500,
      usual: 50,
    },
    ...RANGE,
    contains: { type: 'text', describe: 'Only lines with this text, in upper or lower case' },
    stream: { type: 'text', describe: 'Only this stream: stdout, stderr, hook, child:<name> or sup' },
  },
  run: async (given, { sup, signal }) => {
    const most = countIn(given, 'lines', 50);
    const found: LogDocument[] = [];
    let total = 0;
    try {
      for await (const line of sup.logs$(selectionIn(given), queryIn(given, most))) {
        if (signal.aborted) break;
        total += 1;
        found.push(line);
        if (found.length > most) found.shift();
      }
    } catch (thrown) {
      throw timed(thrown, 'logs');
    }
    const documents = newestWithin(cleanDocument(found), LONGEST_OUTPUT, (line) => lineOf(line).length);
    const older = total - documents.length;
    const lines = [
      `${countText(documents.length, 'line')}${older === 0 ? '' : `; ${countText(older, 'older line')} left out: ask with until, contains or fewer services`}`,
      ...(documents.length === 0 ? [] : [UNTRUSTED, ...quoted('output of services', documents.map(lineOf))]),
    ];
    return { text: textOf(lines), content: { documents, left_out: older, notice: UNTRUSTED } };
  },
};

/** Returns the subject of an event: a service, a child of a service, or the supervisor. */
const subjectOf = ({ project, service, child }: EventDocument): string => {
  if (project === null || service === null) return 'supervisor';
  const id = shownId(serviceId(projectId(project), service));
  return child === null ? id : `${id} child:${child}`;
};

const eventFacts = ({ code, reason, origin }: EventDocument): string => {
  const by = byText(origin).trim();
  const isSaid = by === '' || reason?.includes(by) === true;
  const facts = [code ?? [], reason ?? [], isSaid ? [] : by].flat();
  return facts.length === 0 ? '' : ` (${facts.join('; ')})`;
};

const eventLine = (event: EventDocument): string => {
  const { at, kind, from, to } = event;
  const move = from === to ? kind : `${from ?? 'new'} -> ${to ?? 'removed'}`;
  return `${at} ${subjectOf(event)} ${move}${eventFacts(event)}`;
};

export const EVENTS: AgentTool = {
  name: 'events',
  title: 'What happened',
  describe: `Changes of state, crashes, rollouts, commands with their origin, oldest first. ${UNTRUSTED} Documents: sup.event/1.`,
  takes: {
    ...SELECTING,
    kinds: { type: 'names', describe: `Only events of these kinds: ${EVENT_KINDS.join(', ')}` },
    limit: { type: 'count', describe: 'The newest events', least: 1, most: 300, usual: 40 },
    ...RANGE,
  },
  run: async (given, { sup }) => {
    const written = namesIn(given, 'kinds');
    const kinds = EVENT_KINDS.filter((kind) => written?.includes(kind) ?? true);
    const unknown = written?.find((one) => !kinds.some((kind) => kind === one));
    if (unknown !== undefined)
      throw misunderstood('events', `kinds: "${unknown}" is not one of ${EVENT_KINDS.join(', ')}`);
    const last = countIn(given, 'limit', 40);
    const query = { ...rangeIn(given), ...(written && { kinds }), last: last + 1 };
    const found = await sup.events(selectionIn(given), query).catch((thrown: unknown) => {
      throw timed(thrown, 'events');
    });
    const wanted = newestPage(cleanDocument(found.slice(-last)));
    const documents = newestWithin(wanted, LONGEST_OUTPUT, (event) => eventLine(event).length);
    const isCut = found.length > documents.length;
    const older = isCut ? [`there are older ones: ask with until "${documents[0]?.at ?? ''}"`] : [];
    const lines = documents.length === 0 ? ['no such events'] : documents.map(eventLine);
    return { text: textOf([...older, ...lines]), content: { documents, has_older: isCut } };
  },
};
