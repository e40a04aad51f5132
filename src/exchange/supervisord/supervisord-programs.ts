// Returns the programs of a configuration of supervisord. A program is returned once for each of its groups
// and each of its processes (`numprocs`). All `%(name)s` in its settings are expanded.
import { failure } from '../../streams/views/errors/command-failure.ts';
import { checkedSetting } from '../apply-table.ts';
import { MOST_REPLICAS } from '../../streams/domain/declared/manifest.ts';
import type { IniOption, IniSection } from './ini-sections.ts';
import { expanded, type Expansions, isMarked, variables } from './percent-format.ts';
import { keyValuePairs } from './python-words.ts';
import { truth, wholeNumber } from './supervisord-values.ts';
import type { SourceLine, Setting } from '../key-table.ts';

export interface IniProgram {
  /** The name that the process has in supervisord. */
  readonly processName: string;
  /** The name of the group; absent for a program that is in no group. */
  readonly group?: string;
  readonly isFcgi: boolean;
  readonly place: SourceLine;
  readonly settings: readonly (Setting & { readonly value: string })[];
  /** The number of instances, if the program becomes one service with `replicas`. */
  readonly replicas?: number;
  /** The number of the instance, from 0. */
  readonly instance: number;
  readonly priority: number;
  readonly autostart: boolean;
}

/** Values that all programs of a configuration share. */
export interface IniContext {
  readonly here: string;
  readonly host: string;
  /** The environment of the import. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variables in `environment` of `[supervisord]`. */
  readonly shared: Readonly<Record<string, string>>;
  /** Options for programs that do not set them themselves. */
  readonly inherited: ReadonlyMap<string, IniOption>;
}

/** Options that may contain the number of a process, although all processes become one service. */
const MAY_DIFFER = /^(?:process_name|std(?:out|err)_logfile)$/;

interface Source {
  readonly section: IniSection;
  readonly options: ReadonlyMap<string, IniOption>;
  readonly programName: string;
  readonly group?: string;
  readonly around: IniContext;
}

/**
 * Returns the value of a setting that the import itself needs. Throws ERR0810 if the value has an unknown
 * variable.
 */
const known = <T>({ options, around, programName }: Source, key: string, read: (text: string) => T) => {
  const option = options.get(key);
  if (option === undefined) return undefined;
  return checkedSetting({ key, place: option.place }, () => {
    const { here, host, environment, shared } = around;
    const values = { ...variables({ ...environment, ...shared }), here, host_node_name: host };
    const text = expanded(option.value, { ...values, program_name: programName });
    if (isMarked(text)) throw new RangeError('a variable of the environment is not set');
    return read(text);
  });
};

/**
 * Returns the options with `{instance}` in place of the number of the process. Returns `undefined` if a
 * service with `replicas` cannot have these options.
 */
const asInstances = ({ options }: Source, first: number): ReadonlyMap<string, IniOption> | undefined => {
  const result = new Map<string, IniOption>();
  for (const [key, option] of options) {
    const isPlain = first === 1 && /^(?:command|directory|environment)$/.test(key);
    const value = isPlain ? option.value.replaceAll(/%\(process_num\)[ds]/g, '{instance}') : option.value;
    if (!MAY_DIFFER.test(key) && (value.includes('%(process_num)') || option.value.includes('{instance}')))
      return undefined;
    result.set(key, { ...option, value });
  }
  return result;
};

/** Returns an option. If it is absent, returns its default with the place of the section. */
const optionOf = ({ section, options }: Source, key: string, value: string): IniOption =>
  options.get(key) ?? { value, place: section.place };

const expansionsOf = (source: Source, number: number): Expansions => {
  const { programName, group = programName, around } = source;
  return {
    ...{ ...variables(around.shared), here: around.here, host_node_name: around.host },
    ...{ program_name: programName, group_name: group, process_num: number },
    numprocs: known(source, 'numprocs', wholeNumber) ?? 1,
  };
};

/**
 * Returns a program with its settings expanded. `number`: the value of `process_num`. `instance` counts from
 * 0.
 */
const programOf = (source: Source, number: number, instance: number): IniProgram => {
  const { section, group, options } = source;
  const common = expansionsOf(source, number);
  const expand = (key: string, { value, place }: IniOption, values: Expansions): string =>
    checkedSetting({ key, place }, () => expanded(value, values));
  const environment = optionOf(source, 'environment', '');
  const own = expand('environment', environment, common);
  const pairs = checkedSetting({ key: 'environment', place: environment.place }, () => keyValuePairs(own));
  const values = { ...common, ...variables(pairs) };
  const name = optionOf(source, 'process_name', '%(program_name)s');
  return {
    processName: expand('process_name', name, values).trim(),
    ...(group !== undefined && { group }),
    isFcgi: section.name.startsWith('fcgi-'),
    ...{ place: section.place, instance },
    settings: [...options].map(([key, option]) => ({
      ...{ key, place: option.place },
      value: key === 'environment' ? own : expand(key, option, values),
    })),
    priority: known(source, 'priority', wholeNumber) ?? 999,
    autostart: known(source, 'autostart', truth) ?? true,
  };
};

/** Throws ERR0810 if all instances would have the same name. */
const checkNames = (source: Source): void => {
  const { place } = optionOf(source, 'numprocs', '1');
  checkedSetting({ key: 'numprocs', place }, () => {
    if (!source.options.get('process_name')?.value.includes('%(process_num)'))
      throw new RangeError('process_name must contain %(process_num)');
  });
};

/** Returns one program with `replicas` if possible, or else a program for each number. */
const instancesOf = (source: Source): readonly IniProgram[] => {
  const { section, programName, options } = source;
  if (!options.has('command'))
    throw failure({
      code: 'ERR0810',
      ...section.place,
      key: `[${section.name}]`,
      detail: 'it has no command',
    });
  const count = known(source, 'numprocs', wholeNumber) ?? 1;
  const first = known(source, 'numprocs_start', wholeNumber) ?? 0;
  if (count > MOST_REPLICAS)
    throw failure({ code: 'ERR0811', ...section.place, services: count, most: MOST_REPLICAS });
  if (count > 1) checkNames(source);
  const alike = count > 1 ? asInstances(source, first) : undefined;
  if (alike !== undefined) {
    const program = programOf({ ...source, options: alike }, first, 0);
    return [{ ...program, processName: programName, replicas: count }];
  }
  return Array.from({ length: Math.max(count, 0) }, (_, instance) =>
    programOf(source, first + instance, instance),
  );
};

const programNameOf = ({ name }: IniSection): string | undefined =>
  /^(?:fcgi-)?program:(.*)$/s.exec(name)?.[1]?.trim();

/** Returns the groups with the names of their programs. */
const groupsOf = (
  sections: readonly IniSection[],
): readonly { group: string; programs: readonly string[] }[] =>
  sections
    .filter(({ name }) => name.startsWith('group:'))
    .map(({ name, options }) => {
      const listed = options.get('programs');
      const programs = (listed?.value ?? '').split(',').map((each) => each.trim());
      const unknown = programs.find((each) => !sections.some((section) => programNameOf(section) === each));
      if (listed !== undefined && unknown !== undefined)
        checkedSetting({ key: `[${name}] programs`, place: listed.place }, () => {
          throw new RangeError(`there is no [program:${unknown}]`);
        });
      return { group: name.slice('group:'.length).trim(), programs };
    });

const checkNumber = (programs: readonly IniProgram[]): void => {
  const [first] = programs;
  const services = programs.reduce((sum, { replicas = 1 }) => sum + replicas, 0);
  if (first !== undefined && services > MOST_REPLICAS)
    throw failure({ code: 'ERR0811', ...first.place, services, most: MOST_REPLICAS });
};

/** Returns the programs in the order of their sections. Throws ERR0810 and ERR0811. */
export const programsOf = (sections: readonly IniSection[], around: IniContext): readonly IniProgram[] => {
  const groups = groupsOf(sections);
  const defaults = sections.find(({ name }) => name === 'DEFAULT')?.options ?? new Map<string, IniOption>();
  const programs = sections.flatMap((section) => {
    const programName = programNameOf(section);
    if (programName === undefined) return [];
    const inherited = [...around.inherited, ...defaults];
    const options = new Map([...section.options, ...inherited.filter(([key]) => !section.options.has(key))]);
    const homes = groups.filter(({ programs: listed }) => listed.includes(programName));
    const source = { section, options, programName, around };
    return homes.length === 0
      ? instancesOf(source)
      : homes.flatMap(({ group }) => instancesOf({ ...source, group }));
  });
  checkNumber(programs);
  return programs;
};
