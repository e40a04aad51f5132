// The context that the rows of systemd's table get for a unit or a service, and helpers to write rows.
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { ExportedService } from '../export-format.ts';
import type { ImportDeps } from '../import-format.ts';
import type { UnitEdge } from './unit-dependencies.ts';
import { plainWords } from './unit-words.ts';
import type { Unit } from './unit-set.ts';
import { itemsOf, type Plain, type Setting, type Translation, type KeyRow } from '../key-table.ts';

export interface UnitContext {
  readonly unit: Unit;
  /** Returns the values of a key of the unit, with specifiers replaced. */
  readonly values: (key: string) => readonly string[];
  /** Returns the last value of a key. */
  readonly value: (key: string) => string | undefined;
  /** The timer that starts the unit. */
  readonly timer?: Unit;
  /** The dependencies of the unit. */
  readonly edges: readonly UnitEdge[];
  /** Returns the entry of `depends_on` for a dependency. */
  readonly dependencyOn: (edge: UnitEdge) => Plain;
  /** Returns the names for which the import has no unit, although this unit needs them. */
  readonly missing: (names: readonly string[]) => readonly string[];
  /** True if another unit starts this unit. */
  readonly isStarted: boolean;
  readonly deps: ImportDeps;
}

/** The context for a service that is exported. */
export interface UnitExport {
  readonly exported: ExportedService;
  readonly spec: ServiceSpec;
  /** Returns the units that run the service with this id. */
  readonly unitsOf: (id: string) => readonly string[];
  /** True if another service waits until this service has ended with success. */
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

/** Returns the last line of a setting. */
export const textOf = (setting: Pick<Setting, 'value'>): string => linesOf(setting).at(-1) ?? '';

/** Returns the words of all lines of a setting. */
export const wordsIn = (setting: Pick<Setting, 'value'>): readonly string[] =>
  linesOf(setting).flatMap(plainWords);

/**
 * Returns a row for keys without counterpart. `isDefault`: true for a value that is not reported, because
 * `sup` does the same.
 */
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

/** Returns the translation of a value. If the value is `undefined`, the setting is lost with this message. */
export const orLost = <T>(
  value: T | undefined,
  message: string,
  translate: (value: T) => Translation,
): Translation => (value === undefined ? { lost: message } : translate(value));

/** Returns a translation that writes a value to one key; `also` alone if the value is `undefined`. */
export const written = (key: string, value: Plain | undefined, also: Translation = {}): Translation =>
  value === undefined ? also : { ...also, keys: { ...also.keys, [key]: value } };
