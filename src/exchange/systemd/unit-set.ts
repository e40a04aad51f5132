// Reads the units of an import with their drop-ins, instances and links. Also finds settings and names in a
// unit.
import { basename, join } from 'node:path';
import type { ImportDeps } from '../import-format.ts';
import type { SourceText } from '../source-texts.ts';
import { readUnitText, type UnitLine } from './unit-file.ts';
import { unitName, withoutSpecifiers, type UnitName } from './unit-specifiers.ts';
import { plainWords } from './unit-words.ts';
import { itemsOf, ownValue, type Plain, type SourceLine, type Setting, type Loss } from '../key-table.ts';

export interface Unit {
  readonly name: UnitName;
  readonly lines: readonly UnitLine[];
  /**
   * One setting for each key, in the order in which the keys are first set. For most keys, an empty value
   * removes the lines before it.
   */
  readonly settings: readonly UnitSetting[];
  readonly place: SourceLine;
}

interface UnitSetting {
  readonly section: string;
  readonly setting: Setting;
}

interface UnitSet {
  readonly units: readonly Unit[];
  readonly losses: readonly Loss[];
}

/** The types of units. A file with another extension is no unit. */
const TYPES = 'service|timer|socket|target|path|mount|automount|swap|slice|scope|device';

export const isUnitFile = (name: string): boolean => new RegExp(`^[^.].*\\.(?:${TYPES})$`).test(name);

/** Returns the names of the directories with drop-ins for a unit. Later directories override earlier ones. */
const dropInDirectories = ({ full, prefix, instance, type }: UnitName): readonly string[] => {
  const dashes = [...prefix.matchAll(/-/g)].map(({ index }) => `${prefix.slice(0, index + 1)}.${type}.d`);
  const template = instance === undefined || instance === '' ? [] : [`${prefix}@.${type}.d`];
  return [`${type}.d`, ...dashes, ...template, `${full}.d`];
};

/**
 * Returns a function that lists the subdirectory `name` of a directory. The list is empty if there is no such
 * subdirectory. Each directory is read once.
 */
const startListing = ({ list }: ImportDeps): ((directory: string, name: string) => readonly string[]) => {
  const known = new Map<string, readonly string[]>();
  const listed = (directory: string): readonly string[] => {
    const found = known.get(directory) ?? list(directory);
    known.set(directory, found);
    return found;
  };
  return (directory, name) => (listed(directory).includes(name) ? listed(join(directory, name)) : []);
};

type Listing = ReturnType<typeof startListing>;

const dropInsOf = (
  { directory }: SourceText,
  name: UnitName,
  { inside, deps }: { readonly inside: Listing; readonly deps: ImportDeps },
): readonly SourceText[] =>
  dropInDirectories(name).flatMap((drop) =>
    inside(directory, drop)
      .filter((each) => each.endsWith('.conf'))
      .map((each) => deps.read(join(directory, drop, each))),
  );

/**
 * Returns the links in `x.target.wants` and `x.target.requires` as lines `Wants=` and `Requires=` of the
 * unit.
 */
const linkedTo = ({ directory }: SourceText, { full }: UnitName, inside: Listing): readonly UnitLine[] =>
  (['wants', 'requires'] as const).flatMap((kind) =>
    inside(directory, `${full}.${kind}`).map((value) => ({
      section: 'Unit',
      key: kind === 'wants' ? 'Wants' : 'Requires',
      value,
      place: { file: join(directory, `${full}.${kind}`, value), line: 1 },
    })),
  );

/** Returns all names in a unit that may be instances of a template. */
const namedUnits = ({ lines, name }: Unit): readonly string[] =>
  lines
    .filter(({ section, key }) => section === 'Unit' || key === 'Also' || key === 'Unit' || key === 'Service')
    .flatMap(({ value }) => plainWords(withoutSpecifiers(value, name)));

/**
 * Returns the instances of a template: the instances that units name, or else the instance of
 * `DefaultInstance=`.
 */
const instancesOf = (template: Unit, units: readonly Unit[]): readonly Unit[] => {
  const { prefix, type } = template.name;
  const fallback = template.lines.findLast(({ key }) => key === 'DefaultInstance')?.value;
  const named = units
    .flatMap(namedUnits)
    .map(unitName)
    .filter((name) => name.prefix === prefix && name.type === type && name.instance);
  const names = [...new Set(named.map(({ full }) => full))].filter((full) =>
    units.every((each) => each.name.full !== full),
  );
  const found = names.length > 0 || fallback === undefined ? names : [`${prefix}@${fallback}.${type}`];
  return found.map((full) => ({ ...template, name: unitName(full) }));
};

/**
 * Returns a filter that removes masked units and adds their losses. A unit is masked if its file is empty:
 * systemd does not start it.
 */
const isUnmasked =
  (losses: Loss[]) =>
  ({ path, text }: SourceText): boolean => {
    if (text.trim() !== '') return true;
    const message = 'the unit is masked: its file is empty, and systemd does not start it';
    losses.push({ effect: 'lost', key: basename(path), message, place: { file: path, line: 1 } });
    return false;
  };

/** Reads the units with their drop-ins, links and instances. Throws ERR0802 and ERR0803. */
export const collectUnits = (files: readonly SourceText[], deps: ImportDeps): UnitSet => {
  const inside = startListing(deps);
  const losses: Loss[] = [];
  const linesIn = (file: SourceText): readonly UnitLine[] => {
    const read = readUnitText(file);
    losses.push(...read.losses);
    return read.lines;
  };
  const units = files.filter(isUnmasked(losses)).map((file): Unit => {
    const name = unitName(file.path === '-' ? 'imported.service' : basename(file.path));
    const isReal = file.path !== '-';
    const drops = isReal ? dropInsOf(file, name, { inside, deps }) : [];
    const links = isReal ? linkedTo(file, name, inside) : [];
    const lines = [...[file, ...drops].flatMap(linesIn), ...links];
    return { name, lines, settings: settingsIn(lines), place: { file: file.path, line: 1 } };
  });
  const whole = units.flatMap((unit) => {
    const instances = unit.name.instance === '' ? instancesOf(unit, units) : [];
    return instances.length > 0 ? instances : [unit];
  });
  return { units: whole, losses };
};

/** Keys of which all lines are collected. The value of such a setting is a list of lines. */
const GATHERED = new Set(
  `Condition Assert ExecCondition ExecStartPre ExecStart ExecStartPost ExecReload ExecStop ExecStopPost Environment
  EnvironmentFile PassEnvironment UnsetEnvironment SupplementaryGroups SuccessExitStatus RestartPreventExitStatus
  RestartForceExitStatus CPUAffinity CapabilityBoundingSet AmbientCapabilities SystemCallFilter ReadOnlyPaths
  ReadWritePaths InaccessiblePaths ExecPaths NoExecPaths BindPaths BindReadOnlyPaths TemporaryFileSystem SocketBindAllow
  SocketBindDeny LoadCredential StateDirectory OnCalendar OnUnitActiveSec ListenStream Documentation Requires Requisite Wants BindsTo PartOf
  Upholds Conflicts Before After OnFailure OnSuccess WantedBy RequiredBy Alias Also RequiresMountsFor`.split(
    /\s+/,
  ),
);

/**
 * Keys that an empty value does not reset. For a dependency an empty value changes nothing, and for
 * capabilities it means the empty set.
 */
const KEPT_EMPTY = new Set(
  'Requires Requisite Wants BindsTo PartOf Upholds Conflicts Before After CapabilityBoundingSet AmbientCapabilities'.split(
    ' ',
  ),
);

const OLD_NAMES: Readonly<Record<string, string>> = {
  ...{ BindTo: 'BindsTo', StartLimitInterval: 'StartLimitIntervalSec', MemoryLimit: 'MemoryMax' },
  ...{ ReadOnlyDirectories: 'ReadOnlyPaths', ReadWriteDirectories: 'ReadWritePaths' },
  ...{ InaccessibleDirectories: 'InaccessiblePaths' },
};

const familyOf = (key: string): string =>
  /^(?:Condition|Assert)(?=[A-Z])/.exec(key)?.[0] ?? ownValue(OLD_NAMES, key) ?? key;

const valueOf = ({ key, value }: UnitLine): Plain =>
  familyOf(key) === key || Object.hasOwn(OLD_NAMES, key) ? value : [key, value];

interface Gathering {
  readonly section: string;
  readonly place: SourceLine;
  readonly values: Plain[];
}

const settingsIn = (lines: readonly UnitLine[]): readonly UnitSetting[] => {
  const found = new Map<string, Gathering>();
  for (const line of lines) {
    const key = familyOf(line.key);
    const before = found.get(key);
    if (line.value === '' && !KEPT_EMPTY.has(key)) found.delete(key);
    else if (before === undefined)
      found.set(key, { section: line.section, place: line.place, values: [valueOf(line)] });
    else if (GATHERED.has(key)) before.values.push(valueOf(line));
    else before.values[0] = line.value;
  }
  return [...found].map(([key, { section, place, values }]) => ({
    section,
    setting: { key, place, value: GATHERED.has(key) ? values : (values[0] ?? '') },
  }));
};

/** Returns the settings in these sections of a unit. */
export const settingsOf = ({ settings }: Unit, sections: readonly string[]): readonly Setting[] =>
  settings.filter(({ section }) => sections.includes(section)).map(({ setting }) => setting);

/** Returns all values of a key; an empty list if the unit does not have the key. */
export const valuesOf = (unit: Unit, key: string): readonly string[] => {
  const found = unit.settings.find(({ setting }) => setting.key === key)?.setting;
  if (found === undefined) return [];
  return itemsOf(found.value).map(String);
};

/** Returns the last value of a key. */
export const valueIn = (unit: Unit, key: string): string | undefined => valuesOf(unit, key).at(-1);

/** Returns the names of the units in the values of keys. */
export const unitsIn = (unit: Unit, ...keys: readonly string[]): readonly string[] =>
  keys
    .flatMap((key) => valuesOf(unit, key))
    .flatMap((value) => plainWords(withoutSpecifiers(value, unit.name)));
