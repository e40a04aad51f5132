// Translates the settings of a service, or the keys of a declaration, with the table of a format.
import { failure } from '../streams/views/errors/command-failure.ts';
import {
  isPlainMap,
  type Entry,
  type KeyRow,
  type Loss,
  NOT_KNOWN,
  type SourceLine,
  type Plain,
  type Section,
  type Setting,
  type Translation,
} from './key-table.ts';

/**
 * Joins two values of one key. Lists are concatenated and maps merged; any other value replaces the earlier
 * one.
 */
const joined = (before: Plain, after: Plain): Plain => {
  if (Array.isArray(before) && Array.isArray(after)) return [...(before as Plain[]), ...(after as Plain[])];
  if (isPlainMap(before) && isPlainMap(after)) return { ...before, ...after };
  return after;
};

/** Returns the text of a comment that reports a loss in the written file. */
export const commentOf = ({ effect, key, message, place: { line } }: Loss): string =>
  `${effect}: ${key} (line ${line}): ${message}`;

interface SectionBuilder {
  /** Adds the translation of a setting. Its losses are reported with the key and the place of the setting. */
  readonly add: (translation: Translation, from: Pick<Setting, 'key' | 'place'>) => void;
  readonly section: () => Section;
}

/**
 * Returns a builder that collects translations in the order in which they are added. `service`: the service
 * to which the losses belong.
 */
export const startSection = (service?: string): SectionBuilder => {
  const entries: Entry[] = [];
  const losses: Loss[] = [];
  const indexes = new Map<string, number>();
  const put = (key: string, value: Plain, comments: readonly string[]): void => {
    const at = indexes.get(key) ?? entries.length;
    const before = entries[at];
    indexes.set(key, at);
    if (before === undefined) entries.push({ path: key.split('.'), value, comments });
    else
      entries[at] = {
        ...before,
        value: joined(before.value, value),
        comments: [...before.comments, ...comments],
      };
  };
  return {
    add: ({ keys = {}, changed, lost, comment }, { key, place }) => {
      const found = [
        ...(changed === undefined ? [] : [{ effect: 'changed' as const, message: changed }]),
        ...(lost === undefined ? [] : [{ effect: 'lost' as const, message: lost }]),
      ].map((loss) => ({ ...loss, key, place, ...(service !== undefined && { service }) }));
      losses.push(...found);
      const [first, ...others] = Object.entries(keys);
      const comments = [...found.map(commentOf), ...(comment === undefined ? [] : [comment])];
      if (first !== undefined) put(first[0], first[1], comments);
      else if (comments.length > 0) entries.push({ path: [], value: null, comments });
      for (const [ours, value] of others) put(ours, value, []);
    },
    section: () => ({ entries, losses }),
  };
};

const spells =
  (key: string) =>
  ({ theirs, also = [] }: KeyRow<never, never>): boolean =>
    theirs === key || also.includes(key);

/**
 * Translates settings in their order. Each setting is translated by the row for its key, and is lost if there
 * is no row. If no setting has the key of a row, `absent` of this row translates the default.
 */
export const readSettings = <Context>(
  settings: readonly Setting[],
  rows: readonly KeyRow<Context, never>[],
  {
    service,
    place,
    context,
  }: { readonly service?: string; readonly place: SourceLine; readonly context: Context },
): Section => {
  const builder = startSection(service);
  for (const setting of settings) {
    const read = rows.find(spells(setting.key))?.read;
    builder.add(read?.(setting, context) ?? { lost: NOT_KNOWN }, setting);
  }
  for (const row of rows) {
    if (row.absent === undefined || settings.some(({ key }) => spells(key)(row))) continue;
    builder.add(row.absent(context), { key: row.theirs, place });
  }
  return builder.section();
};

/**
 * Returns the result of `read`. If `read` throws a `RangeError`, throws ERR0810 with the place of the
 * setting.
 */
export const checkedSetting = <T>({ key, place }: Pick<Setting, 'key' | 'place'>, read: () => T): T => {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw failure({ code: 'ERR0810', ...place, key, detail: thrown.message });
  }
};

/**
 * Returns copies of the rows in which `read` throws ERR0810 instead of a `RangeError`. A `RangeError` means
 * that the other program would refuse the value.
 */
export const checkedRows = <Context>(
  rows: readonly KeyRow<Context, never>[],
): readonly KeyRow<Context, never>[] =>
  rows.map(({ read, ...row }) => ({
    ...row,
    ...(read && {
      read: (setting: Setting, context: Context) => checkedSetting(setting, () => read(setting, context)),
    }),
  }));

const covers = (ours: string, declared: string): boolean =>
  declared === ours || declared.startsWith(`${ours}.`) || ours.startsWith(`${declared}.`);

/**
 * Translates the declaration of a service with every row that has `write`. `declared`: the dotted keys that
 * the manifest has for the service, with their places. A key that no row writes is lost.
 */
export const writeDeclared = <Context>(
  declared: readonly Pick<Setting, 'key' | 'place'>[],
  rows: readonly KeyRow<never, Context>[],
  {
    service,
    place,
    context,
  }: { readonly service: string; readonly place: SourceLine; readonly context: Context },
): Section => {
  const builder = startSection(service);
  for (const { ours, write, theirs } of rows) {
    if (write === undefined) continue;
    const from = declared.find(({ key }) => ours.some((own) => covers(own, key)));
    builder.add(write(context), from ?? { key: ours[0] ?? theirs, place });
  }
  for (const key of declared)
    if (!rows.some(({ ours, write }) => write !== undefined && ours.some((own) => covers(own, key.key))))
      builder.add({ lost: 'there is no counterpart' }, key);
  return builder.section();
};
