// Events about the commands of client programs, such as an agent, that give their name as the origin of the
// command. One event is written when such a command arrives, and another event if the command fails.
import type { Command, Selection } from '../../domain/command.ts';
import type { Effect } from '../../domain/effect.ts';
import type { Event } from '../../domain/event.ts';
import type { Instant } from '../../domain/time.ts';
import { errorDocument } from '../errors/error-text.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import { timeText } from '../words/time-text.ts';

/** The maximum number of characters of a command in an event. A command can name thousands of services. */
const LONGEST = 200;

const selectionText = ({ services = [], projects = [], manifest }: Selection): string =>
  [
    ...services,
    ...projects.map((project) => `-p ${project}`),
    ...(manifest === undefined ? [] : [`-c ${manifest}`]),
  ].join(' ');

const argumentsOf = (command: Command): string => {
  if ('selection' in command) return selectionText(command.selection);
  if (command.type === 'scale')
    return command.counts.map(({ service, replicas }) => `${service}=${replicas}`).join(' ');
  return command.type === 'forget' ? command.manifest : '';
};

/** Returns the command in the form of the command line: `restart shop/web`. */
const commandText = (command: Command): string => {
  if (command.type === 'called')
    return command.times === 1 ? command.call : `${command.call}, ${command.times} times`;
  const text = `${command.type} ${argumentsOf(command)}`.trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

const commandEvent = (
  at: Instant,
  own: Pick<EventDocument, 'cause' | 'reason' | 'code'> & { readonly origin: string },
): EventDocument => ({
  schema: 'sup.event/1',
  at: timeText(at),
  kind: 'command',
  project: null,
  service: null,
  child: null,
  from: null,
  to: null,
  health: 'unknown',
  run: null,
  pid: null,
  because_of: [],
  rollout: null,
  ...own,
});

/**
 * Returns the event for a command that arrived, if the command has an origin. A `plan` has no event, because
 * it changes nothing.
 */
export const receivedEvents = (event: Event, at: Instant): readonly EventDocument[] => {
  if (event.type !== 'requested' || event.origin === undefined || event.command.type === 'plan') return [];
  const { command, origin } = event;
  const cause = command.type === 'called' ? 'called' : 'requested';
  return [commandEvent(at, { cause, reason: commandText(command), code: null, origin })];
};

/** Returns the event for a command that was refused or failed, if the command has an origin. */
export const failedEvents = (effect: Effect, at: Instant): readonly EventDocument[] => {
  if (effect.type !== 'reply' || effect.reply.ok || effect.asked === undefined) return [];
  if (effect.asked.command.type === 'plan') return [];
  const { command, origin } = effect.asked;
  const { code, message } = errorDocument(effect.reply.error);
  return [commandEvent(at, { cause: 'failed', reason: `${commandText(command)}: ${message}`, code, origin })];
};
