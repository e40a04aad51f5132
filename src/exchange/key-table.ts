// The types that all formats share. Each format has one table. A row has a key of the format, the
// corresponding keys of `sup`, and functions that translate the value. Import, export, the pages of the
// format (`docs/from-*.md`, `docs/to-*.md`) and the list of losses all use this table.

/** A value that YAML or JSON can express. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

export const isPlainMap = (value: Plain | undefined): value is { readonly [key: string]: Plain } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: Plain | undefined): value is readonly Plain[] => Array.isArray(value);

/** Returns the items of a list; a single value is a list of one. */
export const itemsOf = (value: Plain): readonly Plain[] => (isList(value) ? value : [value]);

/**
 * Returns the value of an own key of the table. A key such as `constructor`, which a file may have, is not
 * found in the prototype.
 */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A place in a file. Lines count from 1. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/**
 * A key of the source with its value. The parts of a nested key are joined by dots: `healthcheck.interval`.
 */
export interface Setting {
  readonly key: string;
  readonly value: Plain;
  readonly place: SourceLine;
}

/**
 * The result of translating one setting. If it has neither keys nor messages, the setting needs no
 * counterpart.
 */
export interface Translation {
  /** Values by dotted keys of the target. Lists and maps are joined with values that other rows gave. */
  readonly keys?: Readonly<Record<string, Plain>>;
  /** A sentence without full stop that says what works differently in the target. */
  readonly changed?: string;
  /** A sentence without full stop that says what the target cannot do. */
  readonly lost?: string;
  /** A comment in the output that is no loss, such as a command to run first. */
  readonly comment?: string;
}

/** The part of a row that the documentation page of the other format shows. */
export interface RowDescription {
  /** The key of the other format. */
  readonly theirs: string;
  /** The corresponding dotted keys of a service in a manifest; empty if there are none. */
  readonly ours: readonly string[];
  /** Sentences about the translation, for the page of the format. */
  readonly note?: string;
}

export interface KeyRow<ReadContext = unknown, WriteContext = unknown> extends RowDescription {
  /** Other spellings of `theirs`. */
  readonly also?: readonly string[];
  /** Translates a setting into keys of `sup`. Absent if there is no import of the format. */
  readonly read?: (setting: Setting, context: ReadContext) => Translation;
  /** Translates the default of the other format. Called if the source does not have the key. */
  readonly absent?: (context: ReadContext) => Translation;
  /** Translates a service into keys of the other format. Absent if there is no export to the format. */
  readonly write?: (context: WriteContext) => Translation;
}

/** A key of the target and its value, or a comment without a key. */
export interface Entry {
  /** The parts of the key; empty for a comment without a key. */
  readonly path: readonly string[];
  readonly value: Plain;
  /** Comments that are written above the key. */
  readonly comments: readonly string[];
}

/** Returns an entry without comments. */
export const entryOf = (path: readonly string[], value: Plain): Entry => ({ path, value, comments: [] });

/** A setting that has no counterpart in the target (`lost`), or that works differently there (`changed`). */
export interface Loss {
  readonly effect: 'changed' | 'lost';
  /** The key in the source. */
  readonly key: string;
  readonly message: string;
  readonly place: SourceLine;
  /** The service that has the setting; absent for a setting of the whole file. */
  readonly service?: string;
}

/** Translated settings of one service, or of the whole file. */
export interface Section {
  readonly entries: readonly Entry[];
  readonly losses: readonly Loss[];
}

/** Joins the messages of a translation: sentences about what changed, and sentences about what is lost. */
export const remarks = (
  changed: readonly string[],
  missing: readonly string[] = [],
): Pick<Translation, 'changed' | 'lost'> => ({
  ...(changed.length > 0 && { changed: changed.join('; ') }),
  ...(missing.length > 0 && { lost: missing.join('; ') }),
});

export const NOT_KNOWN = 'sup import does not know this key';

/**
 * Returns a reader, which is the function `read` of a row. It reports the setting as lost with this message.
 */
export const lost = (message: string) => (): Translation => ({ lost: message });

/** Returns an empty translation: the reader for a key that `sup` does not need. */
export const unneeded = (): Translation => ({});
