// Reads a message of a page. Each value is checked, because a browser can send anything.
import {
  checkFields,
  checkText,
  fieldsIn,
  shown,
  type Checked,
  type Fields,
} from '../../streams/wire/params/checked-fields.ts';
import { MOST_REPLICAS } from '../../streams/domain/declared/manifest.ts';
import { MOST_LINES } from '../live/log-batches.ts';
import { type Action, LONGEST_SEARCH, type Question } from '../page-messages.ts';

/** The most names in one question. */
const MOST_NAMES = 10_000;

/**
 * The question, or why the message is not a question. `id`: the id in the message, which the answer repeats,
 * or `NO_ID` if it cannot be read.
 */
export type Read =
  | { readonly ok: true; readonly question: Question }
  | { readonly ok: false; readonly id: number; readonly problem: string };

/** The id of an answer to a message without a readable id. */
const NO_ID = -1;

type QuestionFields<A extends Question['ask']> = Omit<Extract<Question, { readonly ask: A }>, 'id' | 'ask'>;

/** Thrown at the first problem in a message. `readQuestion` catches it. */
class Refused extends Error {}

const valid = <T>(checked: Checked<T>): T => {
  if (checked.ok) return checked.value;
  throw new Refused(checked.problem);
};

const text = (fields: Fields, key: string): string => valid(checkText(fields[key], key));

const optional = (fields: Fields, key: string): string | undefined =>
  fields[key] === undefined ? undefined : text(fields, key);

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

const whole = (value: unknown, path: string, [least, most]: readonly [number, number]): number => {
  if (isWhole(value) && value >= least && value <= most) return value;
  throw new Refused(`${path}: ${shown(value)} is not a whole number from ${least} to ${most}`);
};

const moment = (value: unknown, path: string): number => whole(value, path, [0, Number.MAX_SAFE_INTEGER]);

const names = (value: unknown, path: string): readonly string[] => {
  if (!Array.isArray(value)) throw new Refused(`${path}: ${shown(value)} is not a list`);
  if (value.length > MOST_NAMES) throw new Refused(`${path}: has more than ${MOST_NAMES} entries`);
  return value.map((name: unknown, at) => valid(checkText(name, `${path}.${at}`)));
};

/**
 * Returns the names in a list. An empty list is a problem, because an empty selection would mean all
 * services.
 */
const someNames = (value: unknown, path: string): readonly string[] => {
  const found = names(value, path);
  if (found.length === 0) throw new Refused(`${path}: is empty`);
  return found;
};

const keys = (value: unknown, path: string, known: readonly string[]): Fields =>
  valid(checkFields(value, path, known));

const onlyGiven = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const service = (fields: Fields): QuestionFields<'service'> => ({
  service: text(fields, 'service'),
  ...onlyGiven({ window: optional(fields, 'window') }),
});

const timeline = (fields: Fields): QuestionFields<'timeline'> => ({
  since: moment(fields['since'], 'since'),
  ...(fields['services'] !== undefined && { services: names(fields['services'], 'services') }),
});

const follows = ({ follow }: Fields): boolean => {
  if (typeof follow !== 'boolean') throw new Refused(`follow: ${shown(follow)} is not true or false`);
  return follow;
};

const search = (fields: Fields): string | undefined => {
  const found = optional(fields, 'search');
  if (found === undefined || found.length <= LONGEST_SEARCH) return found;
  throw new Refused(`search: ${shown(found)} has more than ${LONGEST_SEARCH} characters`);
};

const logs = (fields: Fields): QuestionFields<'logs'> => ({
  services: names(fields['services'], 'services'),
  lines: whole(fields['lines'], 'lines', [0, MOST_LINES]),
  ...onlyGiven({ search: search(fields) }),
  follow: follows(fields),
});

const counts = (value: unknown): Readonly<Record<string, number>> => {
  const fields = valid(checkFields(value, 'counts', Object.keys(Object(value) as object)));
  const entries = Object.entries(fields);
  if (entries.length === 0 || entries.length > MOST_NAMES)
    throw new Refused('counts: is empty, or has too many entries');
  return Object.fromEntries(
    entries.map(([name, count]) => [
      valid(checkText(name, 'counts')),
      whole(count, `counts.${name}`, [1, MOST_REPLICAS]),
    ]),
  );
};

const action = (value: unknown): Action => {
  const { what, ...rest } = keys(value, 'action', ['what', 'services', 'plan', 'counts']);
  switch (what) {
    case 'start':
    case 'stop':
    case 'restart':
      return { what, services: someNames(keys(rest, 'action', ['services'])['services'], 'action.services') };
    case 'apply':
      return { what, plan: text(keys(rest, 'action', ['plan']), 'plan') };
    case 'scale':
      return { what, counts: counts(keys(rest, 'action', ['counts'])['counts']) };
    default:
      throw new Refused(`action.what: ${shown(what)} is not one of start, stop, restart, apply, scale`);
  }
};

/** For each kind of question: its allowed keys, and the function that reads it. */
const ASKED: {
  readonly [A in Question['ask']]: readonly [
    keys: readonly string[],
    read: (fields: Fields) => QuestionFields<A>,
  ];
} = {
  service: [['service', 'window'], service],
  timeline: [['since', 'services'], timeline],
  logs: [['services', 'lines', 'search', 'follow'], logs],
  end: [['of'], ({ of }) => ({ of: moment(of, 'of') })],
  plan: [[], () => ({})],
  act: [['action'], (fields) => ({ action: action(fields['action']) })],
};

const isAsk = (word: unknown): word is Question['ask'] =>
  typeof word === 'string' && Object.hasOwn(ASKED, word);

/** Returns the question in a message. Never throws: for any other text it returns the problem. */
export const readQuestion = (message: string): Read => {
  const all = fieldsIn(message);
  if (all === undefined) return { ok: false, id: NO_ID, problem: 'the message is not a JSON object' };
  const { id, ask, ...rest } = all;
  if (!isWhole(id) || id < 0)
    return { ok: false, id: NO_ID, problem: `id: ${shown(id)} is not a whole number` };
  if (!isAsk(ask)) return { ok: false, id, problem: `ask: ${shown(ask)} is not a known question` };
  try {
    const [known, read] = ASKED[ask];
    return { ok: true, question: { id, ask, ...read(keys(rest, ask, known)) } as Question };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, id, problem: error.message };
    throw error;
  }
};
