// The journal of a project contains the changes since its state file was written. Each line is a JSON
// document with the changed fields of one service. If entries were added at the end of a list, a line has
// only the added entries, and the number of entries that were dropped at the start of the list.
// Rules: `docs/behaviour.md`, "Saved state".
import type { ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { fieldsIn, isFields, type Fields } from './params/checked-fields.ts';
import { storedService } from './state-files.ts';

/**
 * The change of a list: `skip` entries were dropped at its start, and the entries `add` were added at its
 * end.
 */
interface Grown {
  readonly skip: number;
  readonly add: readonly unknown[];
}

type JournalLine =
  | { readonly service: ServiceId; readonly gone: true }
  | {
      readonly service: ServiceId;
      /** True if the line replaces all earlier records of this service; otherwise absent. */
      readonly whole?: true;
      readonly set?: Fields;
      readonly drop?: readonly string[];
      readonly grow?: Readonly<Record<string, Grown>>;
    }
  /** The last line of a journal that is continued in another file. `next`: the name of this file. */
  | { readonly next: string };

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Returns the change of a list; `undefined` if `Grown` cannot describe this change. */
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

/**
 * Returns the fields with new values, and the changes of lists. A loop is used for speed, because this
 * function runs at every state change.
 */
const newIn = (
  now: Service,
  before: Service,
): { readonly set: Fields; readonly grow: Readonly<Record<string, Grown>> } => {
  const stored = storedService(now);
  const set: Record<string, unknown> = {};
  const grow: Record<string, Grown> = {};
  for (const key of keysOf(now)) {
    if (now[key] === before[key]) continue;
    const growth = grown(before[key], now[key]);
    if (growth === undefined) set[key] = stored[key];
    else grow[key] = growth;
  }
  return { set, grow };
};

/**
 * Returns the journal line for a service; `undefined` if nothing has changed. `before`: the last recorded
 * state of the service.
 */
export const lineOf = (
  service: ServiceId,
  before: Service | undefined,
  now: Service | undefined,
): JournalLine | undefined => {
  if (now === before) return undefined;
  if (now === undefined) return { service, gone: true };
  if (before === undefined) return { service, whole: true, set: { ...storedService(now) } };
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
  // Most lines drop no keys. This case is separate for speed, because a new supervisor reads many lines.
  if (!isList(drop) || drop.length === 0) return record;
  const keys = new Set(drop);
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
};

/** Applies a journal line to the record of a service. Returns the new record. */
const changedBy = (record: Fields | undefined, { whole, set, drop, grow }: Fields): Fields => {
  const base = whole === true || record === undefined ? {} : record;
  return { ...withGrowth(without(base, drop), grow), ...(isFields(set) ? set : {}) };
};

/** The records of a project by service id. Invalid records are included. They are refused later. */
export type Records = Map<unknown, unknown>;

/** Returns the service id in a record; a unique symbol if the record has none. */
export const idOfRecord = (record: unknown): unknown => {
  const spec = isFields(record) ? record['spec'] : undefined;
  return isFields(spec) ? spec['id'] : Symbol('nobody');
};

/**
 * Applies a journal to the records. Returns the name of the next journal, if there is one, and the number of
 * unreadable lines. A last line without newline is ignored, because its write was interrupted.
 */
export const replay = (
  records: Records,
  journal: string,
): { readonly next?: string; readonly bad: number } => {
  let bad = 0;
  for (const text of journal.split('\n').slice(0, -1)) {
    const line = fieldsIn(text);
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
