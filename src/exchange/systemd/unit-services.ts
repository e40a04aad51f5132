// Groups the units of an import to services, and finds their projects, names and numbers of instances.
import { cleanNames } from '../service-names.ts';
import { unitName } from './unit-specifiers.ts';
import { isYes } from './unit-values.ts';
import { unitsIn, valueIn, valuesOf, type Unit } from './unit-set.ts';

export interface ServiceUnit {
  readonly unit: Unit;
  /** The full names of the units that become this service. There are several with `replicas`. */
  readonly members: readonly string[];
  readonly replicas?: number;
  /**
   * The project: the name of the target in `PartOf=`, without `.target`. It is absent unless the name of the
   * unit begins with it.
   */
  readonly project?: string;
  readonly name: string;
  readonly timer?: Unit;
  readonly sockets: readonly Unit[];
}

/** Matches the keys of a unit that may have `{instance}` in a manifest. */
const COUNTED = /^(?:Exec|Environment$|WorkingDirectory$|Description$|SyslogIdentifier$)/;

const countsIn = ({ lines }: Unit): boolean =>
  lines.every(({ key, value }) => !/%[iI]/.test(value) || COUNTED.test(key));

/**
 * Returns the number of instances if the units are `x@1`, `x@2` and so on, of one template; otherwise
 * `undefined`.
 */
const replicasOf = (units: readonly Unit[]): number | undefined => {
  const numbers = units
    .map(({ name }) => name.instance ?? '')
    .sort((one, other) => Number(one) - Number(other));
  const isCounted = numbers.every((number, at) => number === String(at + 1));
  const [first] = units;
  const isSame = units.every(({ lines }) => lines === first?.lines);
  return first !== undefined && isCounted && isSame && countsIn(first) ? units.length : undefined;
};

type Grouped = Pick<ServiceUnit, 'unit' | 'members' | 'replicas'>;

/** Returns the services. The numbered instances of a template are one service. */
const grouped = (services: readonly Unit[]): readonly Grouped[] => {
  const groups = new Map<string, readonly Unit[]>();
  for (const unit of services) {
    const key = unit.name.instance ? `${unit.name.prefix}@` : unit.name.full;
    groups.set(key, [...(groups.get(key) ?? []), unit]);
  }
  return [...groups.values()].flatMap((units): readonly Grouped[] => {
    const [first] = units;
    const replicas = first?.name.instance ? replicasOf(units) : undefined;
    if (first === undefined || replicas === undefined)
      return units.map((unit) => ({ unit, members: [unit.name.full] }));
    const name = { ...first.name, instance: '{instance}' };
    return [{ unit: { ...first, name }, members: units.map((unit) => unit.name.full), replicas }];
  });
};

const stemOf = ({ unit: { name }, replicas }: Grouped): string =>
  replicas === undefined && name.instance ? `${name.prefix}@${name.instance}` : name.prefix;

const startedBy = (
  units: readonly Unit[],
  type: 'timer' | 'socket',
  { unit, members }: Grouped,
): readonly Unit[] =>
  units.filter((each) => {
    if (each.name.type !== type) return false;
    const key = type === 'timer' ? 'Unit' : 'Service';
    const target = unitsIn(each, key)[0] ?? `${each.name.full.slice(0, -type.length)}service`;
    return members.includes(target) || unitsIn(unit, 'Sockets').includes(each.name.full);
  });

/**
 * Returns the project: a target in `PartOf=` of the unit or of its timer. The name of the unit must begin
 * with the name of this target.
 */
const projectOf = (group: Grouped, units: readonly Unit[]): string | undefined =>
  [group.unit, ...startedBy(units, 'timer', group)]
    .flatMap((unit) => unitsIn(unit, 'PartOf'))
    .map(unitName)
    .filter(({ type }) => type === 'target')
    .map(({ prefix }) => prefix)
    .find((prefix) => stemOf(group).startsWith(`${prefix}-`));

/** Returns the names of services, unique in their project. */
const namesOf = (
  groups: readonly Grouped[],
  projects: readonly (string | undefined)[],
): readonly string[] => {
  const names: string[] = [];
  for (const project of new Set(projects)) {
    const own = groups.map((group, at) => ({ group, at })).filter(({ at }) => projects[at] === project);
    const begins = project === undefined ? 0 : project.length + 1;
    const clean = cleanNames(own.map(({ group }) => stemOf(group).slice(begins)));
    for (const [index, { at }] of own.entries()) names[at] = clean[index] ?? 'service';
  }
  return names;
};

/** Returns the services in the order of their files. */
export const serviceUnits = (units: readonly Unit[]): readonly ServiceUnit[] => {
  const groups = grouped(units.filter(({ name }) => name.type === 'service'));
  const projects = groups.map((group) => projectOf(group, units));
  const names = namesOf(groups, projects);
  return groups.map((group, at): ServiceUnit => {
    const [project, [timer]] = [projects[at], startedBy(units, 'timer', group)];
    return {
      ...group,
      name: names[at] ?? 'service',
      sockets: startedBy(units, 'socket', group).filter((socket) => !isAccepting(socket)),
      ...(timer !== undefined && { timer }),
      ...(project !== undefined && { project }),
    };
  });
};

/** True if systemd starts a process for each connection to the socket. */
export const isAccepting = (socket: Unit): boolean => isYes(valueIn(socket, 'Accept'));

/** True if systemd starts the service without a user: by a target, a timer, a socket or another unit. */
export const isStartedBySystemd = (
  { unit, members, timer, sockets }: ServiceUnit,
  units: readonly Unit[],
): boolean =>
  timer !== undefined ||
  sockets.length > 0 ||
  valuesOf(unit, 'WantedBy').length + valuesOf(unit, 'RequiredBy').length > 0 ||
  units.some((other) =>
    unitsIn(other, 'Wants', 'Requires', 'BindsTo', 'Upholds', 'Also').some((name) => members.includes(name)),
  );
