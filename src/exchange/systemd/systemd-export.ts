// Exports to systemd: a service unit for each service, timers, sockets, and a target for each project.
import { writeDeclared } from '../apply-table.ts';
import { cleanName, differentNames } from '../service-names.ts';
import { LOOSE } from '../../streams/domain/ids.ts';
import type { SocketSpec } from '../../streams/domain/declared/spec.ts';
import type { Exported, ExportedService, ExportFormat } from '../export-format.ts';
import { ALL_ROWS, WRITTEN_ROWS } from './systemd-table.ts';
import { linesOf as linesIn, type UnitExport } from './unit-context.ts';
import { entryOf, type Plain, type Entry, type Loss } from '../key-table.ts';

type UnitFile = Exported['files'][number];

const SECTIONS = ['Unit', 'Service', 'Timer', 'Socket', 'Install'];

/** Returns the lines of a key. A list becomes several lines. */
const linesOf = (key: string, value: Plain): readonly string[] =>
  linesIn({ value }).map((line) => `${key}=${line}`);

/** Returns the text of a unit. A comment without a key is written into the section of the entry before it. */
const unitText = (entries: readonly Entry[], sections: readonly string[]): string => {
  let section = sections[0] ?? '';
  const lines = new Map(sections.map((name): [string, string[]] => [name, []]));
  for (const { path, value, comments } of entries) {
    section = path[0] ?? section;
    const own = lines.get(section) ?? lines.get(sections[1] ?? '') ?? [];
    own.push(...comments.flatMap((comment) => comment.split('\n')).map((comment) => `# ${comment}`));
    if (path.length > 0) own.push(...linesOf(path.slice(1).join('.'), value));
  }
  return [...lines]
    .filter(([, own]) => own.length > 0)
    .map(([name, own]) => `[${name}]\n${own.join('\n')}\n`)
    .join('\n');
};

const entry = (section: string, key: string, value: Plain): Entry => entryOf([section, key], value);

/**
 * Returns the name of the target that starts a service: that of its project, or `whole` for a loose service.
 */
const groupOf = ({ spec: { project } }: ExportedService, whole: string): string =>
  cleanName(project === LOOSE ? whole : project);

/** The names of the units. No two services, and no two sockets, have the same name. */
interface UnitNames {
  /** Returns the name of the target that starts the service, without `.target`. */
  readonly groupOf: (service: ExportedService) => string;
  /** Returns the name of the units of the service, without its ending. */
  readonly stemOf: (service: ExportedService) => string;
  /** Returns the names of the socket units of the service, in the order of its sockets. */
  readonly socketUnitsOf: (service: ExportedService) => readonly string[];
}

const unitNames = (services: readonly ExportedService[], whole: string): UnitNames => {
  const stems = differentNames(
    services.map((service) => `${groupOf(service, whole)}-${service.spec.name}`),
    Infinity,
  );
  const stemsByService = new Map(services.map((service, at) => [service, stems[at]]));
  const stemOf = (service: ExportedService): string => stemsByService.get(service) ?? service.spec.name;
  const sockets = services.flatMap((service) =>
    (service.spec.sockets ?? []).map(({ name }) => ({ service, name })),
  );
  const units = differentNames(
    sockets.map(({ service, name }) => `${stemOf(service)}-${cleanName(name)}`),
    Infinity,
  );
  return {
    groupOf: (service) => groupOf(service, whole),
    stemOf,
    socketUnitsOf: (service) =>
      units.filter((_, at) => sockets[at]?.service === service).map((unit) => `${unit}.socket`),
  };
};

/**
 * Returns the names of the units that run a service. A service with a schedule has none, because its timer
 * starts it.
 */
const unitsOf = (service: ExportedService, { stemOf }: UnitNames): readonly string[] => {
  const stem = stemOf(service);
  if (service.spec.kind === 'cron') return [];
  return service.replicas === undefined
    ? [`${stem}.service`]
    : Array.from({ length: service.replicas }, (_, at) => `${stem}@${at + 1}.service`);
};

const addressOf = ({ listen }: SocketSpec): string => {
  if (listen.tag === 'unix') return listen.path.replaceAll('%', '%%');
  return `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
};

const socketFile = (
  service: ExportedService,
  { socket, unit }: { readonly socket: SocketSpec; readonly unit: string },
  names: UnitNames,
): UnitFile => {
  const entries = [
    entry('Unit', 'Description', `Socket ${socket.name.replaceAll('%', '%%')} of ${service.spec.name}`),
    entry('Unit', 'PartOf', `${names.groupOf(service)}.target`),
    entry('Socket', 'ListenStream', addressOf(socket)),
    entry('Socket', 'Backlog', String(socket.backlog)),
    entry('Socket', 'FileDescriptorName', socket.name.replaceAll('%', '%%')),
    entry('Socket', 'Service', unitsOf(service, names)[0] ?? `${names.stemOf(service)}.service`),
    entry('Install', 'WantedBy', 'sockets.target'),
  ];
  return { name: unit, text: unitText(entries, SECTIONS) };
};

/** True if the target of the project starts the service. */
const isStarted = ({ spec: { skip } }: ExportedService): boolean => skip !== true;

const contextOf = (
  exported: ExportedService,
  all: readonly ExportedService[],
  names: UnitNames,
): UnitExport => {
  const { spec, declared } = exported;
  const same = all.filter((other) => other.spec.project === spec.project);
  const named = (id: string): readonly ExportedService[] =>
    same.filter((other) => other.spec.id === id || id.startsWith(`${other.spec.id}@`));
  return {
    ...{ exported, spec, stem: names.stemOf(exported), target: `${names.groupOf(exported)}.target` },
    unitsOf: (id) => named(id).flatMap((service) => unitsOf(service, names)),
    isAwaited: same.some((other) =>
      other.spec.dependsOn.some(
        ({ service, condition }) => condition === 'completed' && named(service).includes(exported),
      ),
    ),
    socketUnits: names.socketUnitsOf(exported),
    declares: (key) => declared.some((own) => own.key === key || own.key.startsWith(`${key}.`)),
  };
};

const withInstance = (text: string): string => text.replaceAll('{instance}', '%i');

interface Written {
  readonly files: readonly UnitFile[];
  readonly losses: readonly Loss[];
}

const isTimer = ({ path }: Entry): boolean => path[0] === 'Timer';

const serviceFile = (service: ExportedService, entries: readonly Entry[], context: UnitExport): UnitFile => {
  const { spec, replicas } = service;
  const ofTarget = spec.kind === 'service';
  const all = [
    entry('Unit', 'Description', `${spec.name} of ${context.target.replace(/\.target$/, '')}`),
    ...(ofTarget ? [entry('Unit', 'PartOf', context.target)] : []),
    ...entries.filter((each) => !isTimer(each)),
    ...(context.socketUnits.length === 0 ? [] : [entry('Service', 'Sockets', context.socketUnits.join(' '))]),
    ...(ofTarget && isStarted(service) ? [entry('Install', 'WantedBy', context.target)] : []),
  ];
  const text = unitText(all, SECTIONS);
  return replicas === undefined
    ? { name: `${context.stem}.service`, text }
    : { name: `${context.stem}@.service`, text: withInstance(text) };
};

const timerFile = (
  service: ExportedService,
  entries: readonly Entry[],
  { stem, target }: UnitExport,
): UnitFile => {
  const all = [
    entry('Unit', 'Description', `Schedule of ${service.spec.name}`),
    entry('Unit', 'PartOf', target),
    ...entries.filter(isTimer),
    entry('Timer', 'Unit', `${stem}.service`),
    ...(isStarted(service) ? [entry('Install', 'WantedBy', target)] : []),
  ];
  return { name: `${stem}.timer`, text: unitText(all, SECTIONS) };
};

/** Returns the units of one service. */
const written = (service: ExportedService, all: readonly ExportedService[], names: UnitNames): Written => {
  const { spec, place, declared } = service;
  const context = contextOf(service, all, names);
  const { entries, losses } = writeDeclared(declared, WRITTEN_ROWS, { service: spec.name, place, context });
  return {
    files: [
      serviceFile(service, entries, context),
      ...(spec.kind === 'cron' ? [timerFile(service, entries, context)] : []),
      ...(spec.sockets ?? []).map((socket, at) =>
        socketFile(service, { socket, unit: context.socketUnits[at] ?? '' }, names),
      ),
    ],
    losses,
  };
};

/** Returns the target that starts and stops all services of a group. */
const targetFile = (group: string, services: readonly ExportedService[], names: UnitNames): UnitFile => {
  const started = services
    .filter(isStarted)
    .flatMap((service) =>
      service.spec.kind === 'cron' ? [`${names.stemOf(service)}.timer`] : unitsOf(service, names),
    );
  const entries = [
    entry('Unit', 'Description', `All services of ${group}`),
    ...(started.length === 0 ? [] : [entry('Unit', 'Wants', started.join(' '))]),
    entry('Install', 'WantedBy', 'multi-user.target'),
  ];
  return { name: `${group}.target`, text: unitText(entries, SECTIONS) };
};

export const systemdExport: ExportFormat = {
  name: 'systemd',
  title: 'systemd',
  rows: ALL_ROWS,
  write: (services, name) => {
    const names = unitNames(services, name);
    const groups = [...new Set(services.map(names.groupOf))];
    const targets = groups.map((group) =>
      targetFile(
        group,
        services.filter((service) => names.groupOf(service) === group),
        names,
      ),
    );
    const units = services.map((service) => written(service, services, names));
    return {
      files: [...targets, ...units.flatMap(({ files }) => files)],
      losses: units.flatMap(({ losses }) => losses),
    };
  },
};
