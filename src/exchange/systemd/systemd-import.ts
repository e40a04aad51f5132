// Imports units of systemd: services with their timers, sockets, targets and drop-ins.
import { basename } from 'node:path';
import { commentOf, readSettings } from '../apply-table.ts';
import type { DraftService, ImportDeps, ImportFormat } from '../import-format.ts';
import { OF_OTHERS } from './rows/unit-rows.ts';
import { ALL_ROWS, PREPARED_ROWS, PREPARED_SOCKET_ROWS, PREPARED_TIMER_ROWS } from './systemd-table.ts';
import type { UnitContext } from './unit-context.ts';
import { dependenciesOf, type UnitEdge } from './unit-dependencies.ts';
import { isAccepting, isStartedBySystemd, serviceUnits, type ServiceUnit } from './unit-services.ts';
import { collectUnits, isUnitFile, settingsOf, valueIn, valuesOf, type Unit } from './unit-set.ts';
import { withoutSpecifiers } from './unit-specifiers.ts';
import { entryOf, type Plain, type Setting, type Entry, type Loss, type Section } from '../key-table.ts';

/** The data that is needed to translate each service. */
interface Import {
  readonly units: readonly Unit[];
  readonly services: readonly ServiceUnit[];
  readonly edges: readonly UnitEdge[];
  readonly deps: ImportDeps;
}

const serviceOf = (name: string, { services }: Import): ServiceUnit | undefined =>
  services.find(({ members }) => members.includes(name));

/**
 * Returns the dependencies of a service on other services of the same project. There is at most one for each
 * service, and none on a scheduled service.
 */
const edgesOf = (service: ServiceUnit, whole: Import): readonly UnitEdge[] => {
  const own = whole.edges.filter(({ from }) => service.members.includes(from));
  const targets = own.map(({ on }) => serviceOf(on, whole));
  return own.filter((_, at) => {
    const target = targets[at];
    const isUsable = target !== undefined && target !== service && target.project === service.project;
    return isUsable && target.timer === undefined && targets.indexOf(target) === at;
  });
};

/** True for a oneshot that does not run for ever. Services that depend on it wait for its end. */
const ends = ({ unit }: ServiceUnit): boolean =>
  valueIn(unit, 'Type') === 'oneshot' && valueIn(unit, 'Restart') !== 'always';

const dependencyOn =
  (whole: Import) =>
  ({ on, required }: UnitEdge): Plain => {
    const service = serviceOf(on, whole);
    if (service === undefined) return on;
    if (!ends(service) && required) return service.name;
    return {
      service: service.name,
      ...(ends(service) && { condition: 'completed' }),
      ...(!required && { required: false }),
    };
  };

/** True for a unit that may be missing without a remark: it always exists, or a manifest does not need it. */
const isIgnored = (name: string): boolean =>
  !/\.(?:service|mount|automount|swap|path|device)$/.test(name) || name === '-.mount';

const contextOf = (service: ServiceUnit, unit: Unit, whole: Import): UnitContext => {
  const values = (key: string): readonly string[] =>
    valuesOf(unit, key).map((value) =>
      key.startsWith('Exec') && key !== 'ExecPaths' ? value : withoutSpecifiers(value, unit.name),
    );
  return {
    ...{ unit, values, edges: edgesOf(service, whole), dependencyOn: dependencyOn(whole), deps: whole.deps },
    value: (key) => values(key).at(-1),
    missing: (names) =>
      [...new Set(names)].filter(
        (name) => !isIgnored(name) && whole.units.every((each) => each.name.full !== name),
      ),
    isStarted: isStartedBySystemd(service, whole.units),
    ...(service.timer !== undefined && { timer: service.timer }),
  };
};

/**
 * Returns a setting for the dependencies that other units declare for this unit. The setting is not in the
 * file of this unit.
 */
const addedSettings = ({ unit, members }: ServiceUnit, { edges }: Import): readonly Setting[] => {
  const others = edges.find(({ from, via }) => via === undefined && members.includes(from));
  return others === undefined ? [] : [{ key: OF_OTHERS, value: unit.name.full, place: others.place }];
};

const NO_SCHEDULE = 'no schedule could be made of the timer, so skip keeps the service from running';
const NO_INSTANCE = 'no unit names an instance of the template: set the name in place of %i, and remove skip';

/**
 * Returns the unit that prevents the service from running as imported, and the reason. Returns `undefined` if
 * the service can run.
 */
const obstacleOf = ({ unit, timer }: ServiceUnit, scheduled: boolean): [Unit, string] | undefined => {
  if (unit.name.instance === '') return [unit, NO_INSTANCE];
  return timer === undefined || scheduled ? undefined : [timer, NO_SCHEDULE];
};

/** Returns `replicas`, and `skip: true` with a loss if the service cannot run as imported. */
const wholeSection = (service: ServiceUnit, scheduled: boolean): Section => {
  const { replicas, name } = service;
  const [unit, message] = obstacleOf(service, scheduled) ?? [];
  const counted = replicas === undefined ? [] : [entryOf(['replicas'], replicas)];
  if (unit === undefined || message === undefined) return { entries: counted, losses: [] };
  const loss: Loss = { effect: 'lost', key: unit.name.full, message, place: unit.place, service: name };
  return {
    entries: [...counted, { path: ['skip'], value: true, comments: [commentOf(loss)] }],
    losses: [loss],
  };
};

const isKey =
  (key: string) =>
  ({ path }: Entry): boolean =>
    path.join('.') === key;

/** Removes `skip` from the section, because `wholeSection` has already added `skip: true`. */
const withoutSkip = (section: Section): Section => ({
  ...section,
  entries: section.entries.filter((entry) => !isKey('skip')(entry)),
});

/** Returns the translated settings of the timer and of the socket units. */
const otherSections = (service: ServiceUnit, whole: Import): readonly Section[] => {
  const { name, timer, sockets } = service;
  return [...(timer === undefined ? [] : [timer]), ...sockets].map((unit) => {
    const [rows, section] =
      unit === timer ? [PREPARED_TIMER_ROWS, 'Timer'] : [PREPARED_SOCKET_ROWS, 'Socket'];
    const context = contextOf(service, unit, whole);
    return readSettings(settingsOf(unit, [section]), rows, { service: name, place: unit.place, context });
  });
};

const draftOf = (service: ServiceUnit, whole: Import): DraftService => {
  const { unit, name, project } = service;
  const own = [...settingsOf(unit, ['Unit', 'Service', 'Install']), ...addedSettings(service, whole)];
  const context = contextOf(service, unit, whole);
  const main = readSettings(own, PREPARED_ROWS, { service: name, place: unit.place, context });
  const others = otherSections(service, whole);
  const scheduled = others.some(({ entries }) => entries.some(isKey('cron.expression')));
  const extra = wholeSection(service, scheduled);
  const sections = [
    extra.entries.some(isKey('skip')) ? withoutSkip(main) : main,
    ...joinedSockets(scheduled ? others : others.map(withoutCron)),
    extra,
  ];
  return {
    ...{ name, place: unit.place, ...(project !== undefined && { project }) },
    section: {
      entries: sections.flatMap(({ entries }) => entries),
      losses: sections.flatMap(({ losses }) => losses),
    },
  };
};

/**
 * Removes the keys of `cron` from a section without a cron expression, because the other keys need the
 * expression. The comments of the removed keys stay.
 */
const withoutCron = (section: Section): Section => ({
  ...section,
  entries: section.entries.map((entry) => (entry.path[0] === 'cron' ? { ...entry, path: [] } : entry)),
});

/** Joins the sockets of several units into one list. */
const joinedSockets = (sections: readonly Section[]): readonly Section[] => {
  const all = sections.flatMap(({ entries }) => entries.filter(({ path }) => path[0] === 'sockets'));
  const [first] = all;
  const value = all.flatMap((entry) => entry.value as Plain[]);
  return sections.map((section) => ({
    ...section,
    entries: section.entries.flatMap((entry) => {
      if (entry.path[0] !== 'sockets') return [entry];
      return entry === first ? [{ ...entry, value }] : [{ path: [], value: null, comments: entry.comments }];
    }),
  }));
};

const KIND_LOSSES: Readonly<Record<string, string>> = {
  path: 'watch restarts or signals a service when files change; nothing starts it then',
  mount: 'sup mounts nothing',
  automount: 'sup mounts nothing',
  swap: 'sup manages no swap space',
  slice: 'limits.cgroup limits each service by itself',
  scope: 'sup takes over no running processes',
  device: 'sup does not wait for devices',
};

/** Returns a loss for each unit that is not part of a service. */
const unusedUnits = ({ units, services }: Import): readonly Loss[] =>
  units.flatMap((unit): readonly Loss[] => {
    const { type, full } = unit.name;
    const isUsed = services.some(({ timer, sockets }) => timer === unit || sockets.includes(unit));
    if (type === 'service' || type === 'target' || isUsed) return [];
    const accepting = type === 'socket' && isAccepting(unit);
    const message = accepting
      ? 'with Accept=yes systemd starts a process for each connection; sup does not'
      : (KIND_LOSSES[type] ?? `its service is not among the imported units, or has another ${type}`);
    return [{ effect: 'lost', key: full, message, place: unit.place }];
  });

const isUnitText = (text: string): boolean => {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.includes('[Service]') && lines.some((line) => line.startsWith('ExecStart'));
};

export const systemd: ImportFormat = {
  name: 'systemd',
  title: 'a systemd unit',
  rows: ALL_ROWS,
  recognises: ({ path, text }) => (path === '-' ? isUnitText(text) : isUnitFile(basename(path))),
  ofDirectory: isUnitFile,
  read: (files, deps) => {
    const { units, losses } = collectUnits(files, deps);
    const services = serviceUnits(units);
    const whole: Import = { units, services, edges: dependenciesOf(units), deps };
    return {
      services: services.map((service) => draftOf(service, whole)),
      losses: [...losses, ...unusedUnits(whole)],
    };
  },
};
