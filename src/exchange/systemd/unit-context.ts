// What the rows of the table know of the unit that they translate, and helpers to write rows.
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { ExportedService } from '../export-format.ts';
import type { ImportDeps } from '../import-format.ts';
import type { UnitEdge } from './unit-dependencies.ts';
import { plainWords } from './unit-words.ts';
import type { Unit } from './unit-set.ts';
import { itemsOf, type Plain, type Setting, type Translation, type KeyRow } from '../key-table.ts';

export interface UnitContext {
  readonly unit: Unit;
  /** The values of a key of the unit, without specifiers. */
  readonly values: (key: string) => readonly string[];
  /** The last value of a key. */
  readonly value: (key: string) => string | undefined;
  /** The timer that starts the unit. */
  readonly timer?: Unit;
  /** What the unit has to wait for. */
  readonly edges: readonly UnitEdge[];
  /** The entry of `depends_on` for an edge. */
  readonly dependencyOn: (edge: UnitEdge) => Plain;
  /** Services that the unit names and that are not imported. */
  readonly missing: (names: readonly string[]) => readonly string[];
  /** True if something in systemd starts the unit by itself. */
  readonly isStarted: boolean;
  readonly deps: ImportDeps;
}

/** What the rows know of a service that is exported. */
export interface UnitExport {
  readonly exported: ExportedService;
  readonly spec: ServiceSpec;
  /** The units of a service, by its id. */
  readonly unitsOf: (id: string) => readonly string[];
  /** True if another service waits until this one has ended well. */
  readonly isAwaited: boolean;
  /** The name of the unit without its type: `shop-web`. */
  readonly stem: string;
  /** The unit of the project, `shop.target`. */
  readonly target: string;
  /** The names of the units of the held sockets. */
  readonly socketUnits: readonly string[];
  /** True for a key that the manifest has for the service. */
  readonly declares: (key: string) => boolean;
}

export type UnitRow = KeyRow<UnitContext, UnitExport>;

/** Returns the lines of a setting. */
export const linesOf = ({ value }: Pick<Setting, 'value'>): readonly string[] =>
  itemsOf(value).map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));

/** Returns the value of a setting with one line. */
export const textOf = (setting: Pick<Setting, 'value'>): string => linesOf(setting).at(-1) ?? '';

/** Returns the words of all lines of a setting. */
export const wordsIn = (setting: Pick<Setting, 'value'>): readonly string[] =>
  linesOf(setting).flatMap(plainWords);

/** Returns a row for keys without counterpart. */
export const lostRow = (keys: string, message: string, isDefault?: (value: string) => boolean): UnitRow => {
  const [theirs = '', ...also] = keys.split(/\s+/);
  return {
    ...{ theirs, also, ours: [], note: `Lost: ${message}.` },
    read: (setting) => (isDefault?.(textOf(setting)) ? {} : { lost: message }),
  };
};

/** Returns a row for keys that need no counterpart. */
export const unneededRow = (keys: string, note: string): UnitRow => {
  const [theirs = '', ...also] = keys.split(/\s+/);
  return { ...{ theirs, also, ours: [], note }, read: () => ({}) };
};

/** Returns the translation with one more sentence about what is lost. */
export const withLoss = (translation: Translation, message: string): Translation => ({
  ...translation,
  lost: translation.lost === undefined ? message : `${translation.lost}; ${message}`,
});

/** Returns a translation by a value that may be missing: then the setting is lost. */
export const orLost = <T>(
  value: T | undefined,
  message: string,
  translate: (value: T) => Translation,
): Translation => (value === undefined ? { lost: message } : translate(value));

/** Returns a translation into one key of a unit; none without a value. */
export const written = (key: string, value: Plain | undefined, also: Translation = {}): Translation =>
  value === undefined ? also : { ...also, keys: { ...also.keys, [key]: value } };
