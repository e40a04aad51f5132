// Imports configurations of supervisord: programs, groups, and the options that all programs share.
import { hostname } from 'node:os';
import { checkedRows, checkedSetting, readSettings } from '../apply-table.ts';
import type { DraftService, ImportDeps, ImportDraft, ImportFormat } from '../import-format.ts';
import { cleanNames } from '../service-names.ts';
import type { SourceText } from '../source-texts.ts';
import type { IniOption, IniSection } from './ini-sections.ts';
import { readTree } from './include-files.ts';
import { expanded } from './percent-format.ts';
import { keyValuePairs } from './python-words.ts';
import { type IniProgram, type IniContext, programsOf } from './supervisord-programs.ts';
import { SECTION_ROWS } from './supervisord-sections.ts';
import type { ProgramContext } from './program-keys.ts';
import { PROGRAM_ROWS } from './supervisord-table.ts';
import { entryOf, type Setting, type Loss, type Section } from '../key-table.ts';

const HEADER =
  /^\[(?:supervisord|supervisorctl|unix_http_server|(?:program|fcgi-program|group|eventlistener):[^\]]+)\]/;

const [CHECKED_PROGRAM, CHECKED_SECTIONS] = [checkedRows(PROGRAM_ROWS), checkedRows(SECTION_ROWS)];

const isProgram = ({ name }: IniSection): boolean => /^(?:fcgi-)?program:/.test(name);

const optionsOf = (sections: readonly IniSection[], name: string): ReadonlyMap<string, IniOption> =>
  sections.find((section) => section.name === name)?.options ?? new Map<string, IniOption>();

/** Returns the options of `[supervisord]` that are defaults for its programs. */
const inheritedFrom = (supervisord: ReadonlyMap<string, IniOption>): ReadonlyMap<string, IniOption> =>
  new Map(
    [...supervisord].filter(
      ([key, { value }]) =>
        ['directory', 'umask', 'minfds'].includes(key) || (key === 'user' && value !== 'root'),
    ),
  );

const surroundingsOf = (
  sections: readonly IniSection[],
  { here, environment }: Pick<IniContext, 'here' | 'environment'>,
): IniContext => {
  const supervisord = optionsOf(sections, 'supervisord');
  const host = hostname();
  const option = supervisord.get('environment');
  const shared =
    option === undefined
      ? {}
      : checkedSetting({ key: 'environment', place: option.place }, () =>
          keyValuePairs(expanded(option.value, { here, host_node_name: host })),
        );
  return { here, host, environment, shared, inherited: inheritedFrom(supervisord) };
};

/**
 * Returns the settings of a section that is no program. Their keys contain the section: `[supervisord]
 * umask`.
 */
const settingsOf = ({ name, options }: IniSection, { here, host }: IniContext): readonly Setting[] => {
  const [kind = name] = name.split(':');
  const settings = [...options].map(([key, { value, place }]) => ({
    key: `[${kind}] ${key}`,
    value: key === 'environment' ? expanded(value, { here, host_node_name: host }) : value,
    place,
  }));
  return kind === 'eventlistener' ? settings.filter(({ key }) => key.endsWith(' command')) : settings;
};

const KNOWN_SECTIONS = new Set(SECTION_ROWS.map(({ theirs }) => /^\[(\w+)\]/.exec(theirs)?.[1]));

const ignored = ({ name, place }: IniSection): Loss => ({
  ...{
    effect: 'changed',
    key: `[${name}]`,
    message: 'supervisord does not know this section, either',
    place,
  },
});

/** Translates the sections that are no programs. */
const readWhole = (sections: readonly IniSection[], around: IniContext): Section => {
  const others = sections.filter((section) => !isProgram(section) && section.name !== 'DEFAULT');
  const known = others.filter(({ name }) => KNOWN_SECTIONS.has(name.split(':')[0]));
  const [first] = sections;
  const place = first?.place ?? { file: '', line: 1 };
  const settings = known.flatMap((section) => settingsOf(section, around));
  const section = readSettings(settings, CHECKED_SECTIONS, { place, context: undefined });
  const unknown = others.filter((each) => !known.includes(each)).map(ignored);
  const defaults = entryOf(['logs'], { max_bytes: '50M', max_files: 10 });
  return { entries: [defaults, ...section.entries], losses: [...section.losses, ...unknown] };
};

interface OrderedProgram {
  readonly program: IniProgram;
  readonly name: string;
  /** The project; absent for programs without a group. */
  readonly project?: string;
}

/** Returns each program with the name of its service. This name is unique in the project. */
const named = (programs: readonly IniProgram[]): readonly OrderedProgram[] => {
  const groups = [...new Set(programs.map(({ group }) => group))];
  const projects = cleanNames(groups.map((group) => group ?? 'none'));
  const names = new Map<IniProgram, string>();
  for (const group of groups) {
    const members = programs.filter((program) => program.group === group);
    const own = cleanNames(members.map(({ processName }) => processName));
    for (const [index, program] of members.entries()) names.set(program, own[index] ?? '');
  }
  return programs.map((program) => ({
    program,
    name: names.get(program) ?? '',
    ...(program.group !== undefined && { project: projects[groups.indexOf(program.group)] ?? '' }),
  }));
};

/**
 * Returns the services that must start before this service: those of the same project with the next lower
 * priority. Programs that do not start automatically are not ordered.
 */
const startsAfter = (
  { program, project }: OrderedProgram,
  all: readonly OrderedProgram[],
): readonly string[] => {
  if (!program.autostart) return [];
  const before = all.filter(
    (other) =>
      other.project === project && other.program.autostart && other.program.priority < program.priority,
  );
  const next = Math.max(...before.map((other) => other.program.priority));
  return before.filter((other) => other.program.priority === next).map(({ name }) => name);
};

/**
 * Returns remarks that concern several programs. Each remark has the place of the first of these programs.
 */
const remarksOf = (programs: readonly IniProgram[]): readonly Loss[] => {
  const has = ({ settings }: IniProgram, key: string): boolean =>
    settings.some((setting) => setting.key === key);
  const homeless = programs.find((program) => !has(program, 'directory'));
  const [first] = programs;
  const remark = (key: string, message: string, from: IniProgram | undefined): readonly Loss[] =>
    from === undefined ? [] : [{ effect: 'changed', key, message, place: from.place }];
  return [
    ...remark(
      'directory',
      'a program without it runs in the directory of the manifest, and not where supervisord was started',
      homeless,
    ),
    ...remark(
      'startretries',
      'max_restarts counts all restarts until a service has been ready for 60 s, not only those within startsecs',
      first,
    ),
  ];
};

const disorderOf = ({ program, project }: OrderedProgram, all: readonly OrderedProgram[]) =>
  project === undefined &&
  program.settings.some(({ key }) => key === 'priority') &&
  all.some((other) => other.project !== undefined)
    ? { disorder: 'it orders the services of one project; projects start together' }
    : {};

const draftOf = (
  each: OrderedProgram,
  all: readonly OrderedProgram[],
  { from, workingDir }: Pick<ProgramContext, 'from' | 'workingDir'>,
): DraftService => {
  const { program, name, project } = each;
  const { settings, place } = program;
  const context = { program, from, workingDir, after: startsAfter(each, all), ...disorderOf(each, all) };
  return {
    ...{ name, place, ...(project !== undefined && { project }) },
    section: readSettings(settings, CHECKED_PROGRAM, { service: name, place, context }),
  };
};

const read = (files: readonly SourceText[], deps: ImportDeps): ImportDraft => {
  const here = files[0]?.directory ?? '';
  const { sections, losses } = readTree(files, { ...deps, host: hostname() });
  const around = surroundingsOf(sections, { here, environment: deps.environment });
  const whole = readWhole(sections, around);
  const programs = programsOf(sections, around);
  const all = named(programs);
  return {
    services: all.map((each) => draftOf(each, all, { from: here, workingDir: deps.workingDir })),
    whole: whole.entries,
    losses: [...losses, ...whole.losses, ...remarksOf(programs)],
  };
};

export const supervisord: ImportFormat = {
  name: 'supervisord',
  title: 'a configuration of supervisord',
  rows: [...PROGRAM_ROWS, ...SECTION_ROWS],
  recognises: ({ text }) => text.split('\n').some((line) => HEADER.test(line)),
  ofDirectory: (name) => /\.(?:conf|ini)$/.test(name),
  read,
};
