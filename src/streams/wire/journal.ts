// What changed of the services of a project since its state was written whole: one JSON document a line. A line says what
// is new of a service and nothing else; a list that grew at its end and lost some of its beginning says just that.
import type { ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { isFields, type Fields } from './check.ts';

/** Of a list: how many to leave out at its beginning, and what comes at its end. */
interface Grown {
  readonly skip: number;
  readonly add: readonly unknown[];
}

/** A line of a journal, without its end. */
type JournalLine =
  | { readonly service: ServiceId; readonly gone: true }
  | {
      readonly service: ServiceId;
      /** Nothing of what was recorded before counts. */
      readonly whole?: true;
      readonly set?: Fields;
      readonly drop?: readonly string[];
      readonly grow?: Readonly<Record<string, Grown>>;
    }
  /** The last line of a journal: from here on another one is written. */
  | { readonly next: string };

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** How `now` came of `before`; `undefined`: not by growing at its end. Entries are told apart by identity. */
const grown = (before: unknown, now: unknown): Grown | undefined => {
  if (!isList(before) || !isList(now) || now.length === 0) return undefined;
  const skip = before.indexOf(now[0]);
  if (skip === -1) return undefined;
  const kept = before.length - skip;
  const same = kept <= now.length && before.slice(skip).every((entry, at) => entry === now[at]);
  return same ? { skip, add: now.slice(kept) } : undefined;
};

const keysOf = (service: Service): readonly (keyof Service)[] => Object.keys(service) as (keyof Service)[];

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0;

/** What is new and what has grown. Spelled out: this is asked several times for each start. */
const newIn = (
  now: Service,
  before: Service,
): { readonly set: Fields; readonly grow: Readonly<Record<string, Grown>> } => {
  const set: Record<string, unknown> = {};
  const grow: Record<string, Grown> = {};
  for (const key of keysOf(now)) {
    if (now[key] === before[key]) continue;
    const growth = grown(before[key], now[key]);
    if (growth === undefined) set[key] = now[key];
    else grow[key] = growth;
  }
  return { set, grow };
};

/** What is to be written of a service that was recorded as `before`; `undefined`: nothing is new. */
export const lineOf = (
  service: ServiceId,
  before: Service | undefined,
  now: Service | undefined,
): JournalLine | undefined => {
  if (now === before) return undefined;
  if (now === undefined) return { service, gone: true };
  if (before === undefined) return { service, whole: true, set: { ...now } };
  const { set, grow } = newIn(now, before);
  const drop = keysOf(before).filter((key) => now[key] === undefined && before[key] !== undefined);
  return {
    service,
    ...(!isEmpty(set) && { set }),
    ...(drop.length > 0 && { drop }),
    ...(!isEmpty(grow) && { grow }),
  };
};

const isGrown = (value: unknown): value is Grown =>
  isFields(value) && Number.isInteger(value['skip']) && isList(value['add']);

const withGrowth = (record: Fields, grow: unknown): Fields => {
  if (!isFields(grow)) return record;
  const lists = Object.entries(grow).flatMap(([key, growth]): readonly (readonly [string, unknown])[] => {
    const before = record[key];
    if (!isList(before) || !isGrown(growth)) return [];
    return [[key, [...before.slice(growth.skip), ...growth.add]]];
  });
  return { ...record, ...Object.fromEntries(lists) };
};

const without = (record: Fields, drop: unknown): Fields => {
  const keys = new Set<unknown>(Array.isArray(drop) ? drop : []);
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
};

/** The record of a service after this line. */
const changedBy = (record: Fields | undefined, { whole, set, drop, grow }: Fields): Fields => {
  const base = whole === true || record === undefined ? {} : record;
  return { ...withGrowth(without(base, drop), grow), ...(isFields(set) ? set : {}) };
};

const parsed = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Records by the id of their service; whatever is no record stays, for the reader to refuse. */
export type Records = Map<unknown, unknown>;

/** The id of a recorded service, or something that is nobody's. */
export const idOfRecord = (record: unknown): unknown => {
  const spec = isFields(record) ? record['spec'] : undefined;
  return isFields(spec) ? spec['id'] : Symbol('nobody');
};

/**
 * Brings the records up to date. Answers with the journal that comes after this one, if there is one, and with the number
 * of whole lines that could not be read: a last line without an end was cut off while it was written, and does not count.
 */
export const replay = (
  records: Records,
  journal: string,
): { readonly next?: string; readonly bad: number } => {
  let bad = 0;
  for (const text of journal.split('\n').slice(0, -1)) {
    const line = parsed(text);
    if (line === undefined) bad += 1;
    else if (typeof line['next'] === 'string') return { next: line['next'], bad };
    else if (line['gone'] === true) records.delete(line['service']);
    else {
      const record = records.get(line['service']);
      records.set(line['service'], changedBy(isFields(record) ? record : undefined, line));
    }
  }
  return { bad };
};
