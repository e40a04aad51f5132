// Translates the order and the requirements of units to dependencies of services.
import { failure } from '../../streams/views/errors/command-failure.ts';
import { settingsOf, unitsIn, type Unit } from './unit-set.ts';
import type { SourceLine } from '../key-table.ts';

/** A dependency between two units: `from` waits for `on`. */
export interface UnitEdge {
  readonly from: string;
  readonly on: string;
  readonly required: boolean;
  /** True if `After=` or `Before=` in one of the two units declares the order. */
  readonly ordered: boolean;
  /** The key of `from` that declares the dependency; absent if `on` declares it. */
  readonly via?: string;
  readonly place: SourceLine;
  /** Present if the dependency would make a cycle, which a manifest cannot have. */
  readonly isCircular?: true;
}

const STRONG = ['Requires', 'BindsTo', 'Requisite'];
const WEAK = ['Wants', 'Upholds'];

const isService = ({ name }: Unit): boolean => name.type === 'service';

/**
 * Returns a function that finds the services for the name of a unit: the service itself, or the services that
 * a target starts.
 */
const startExpanding = (
  units: readonly Unit[],
): ((name: string, seen?: readonly string[]) => readonly string[]) => {
  const byName = new Map(units.map((unit) => [unit.name.full, unit]));
  const known = new Map<string, readonly string[]>();
  const expand = (name: string, seen: readonly string[] = []): readonly string[] => {
    const unit = byName.get(name);
    if (unit === undefined || seen.includes(name)) return [];
    if (isService(unit)) return [name];
    return unit.name.type === 'target' ? (known.get(name) ?? pulledIn(unit, seen)) : [];
  };
  const pulledIn = (unit: Unit, seen: readonly string[]): readonly string[] => {
    const name = unit.name.full;
    const own = unitsIn(unit, ...STRONG, ...WEAK);
    const installed = units
      .filter((each) => unitsIn(each, 'WantedBy', 'RequiredBy').includes(name))
      .map((each) => each.name.full);
    const found = [...new Set([...own, ...installed].flatMap((each) => expand(each, [...seen, name])))];
    if (seen.length === 0) known.set(name, found);
    return found;
  };
  return expand;
};

const placeIn = (unit: Unit, key: string): SourceLine =>
  settingsOf(unit, ['Unit', 'Install']).find((each) => each.key === key)?.place ?? unit.place;

type Candidate = Omit<UnitEdge, 'required' | 'ordered'> & {
  readonly isStrong: boolean;
  readonly ordered: boolean;
};

/** Returns the dependencies that a unit declares for itself and for other units. */
const saidBy = (unit: Unit, expand: (name: string) => readonly string[]): readonly Candidate[] => {
  const self = expand(unit.name.full);
  const said = (key: string, flags: Pick<Candidate, 'isStrong' | 'ordered'>): readonly Candidate[] =>
    unitsIn(unit, key)
      .flatMap((name) => expand(name))
      .flatMap((on) => self.map((from) => ({ from, on, via: key, place: placeIn(unit, key), ...flags })));
  const reversed = (key: string, flags: Pick<Candidate, 'isStrong' | 'ordered'>): readonly Candidate[] =>
    said(key, flags).map(({ from, on, place }) => ({ from: on, on: from, place, ...flags }));
  return [
    ...STRONG.flatMap((key) => said(key, { isStrong: true, ordered: false })),
    ...said('After', { isStrong: false, ordered: true }),
    ...reversed('Before', { isStrong: false, ordered: true }),
    ...reversed('RequiredBy', { isStrong: true, ordered: false }),
  ].filter(({ from, on }) => from !== on);
};

/** The most dependencies in one import. */
const MOST_EDGES = 5000;

/**
 * Returns a set of dependencies. `leads`: true if one service waits for another service, directly or through
 * further services.
 */
const startPaths = (): { add: (edge: UnitEdge) => void; leads: (from: string, to: string) => boolean } => {
  const next = new Map<string, string[]>();
  const leads = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return next.get(from)?.some((on) => leads(on, to, seen)) ?? false;
  };
  return {
    add: ({ from, on }) => void next.set(from, [...(next.get(from) ?? []), on]),
    leads: (from, to) => leads(from, to),
  };
};

/**
 * Returns one dependency for each pair of services in which one waits for the other. Throws ERR0803 if there
 * are too many.
 */
export const dependenciesOf = (units: readonly Unit[]): readonly UnitEdge[] => {
  const expand = startExpanding(units);
  const pairs = new Map<string, Candidate[]>();
  // Targets are left out: the order of a target does not hold for the services that it starts.
  for (const candidate of units.filter(isService).flatMap((unit) => saidBy(unit, expand))) {
    const key = `${candidate.from} ${candidate.on}`;
    const known = pairs.get(key);
    if (known === undefined) pairs.set(key, [candidate]);
    else known.push(candidate);
  }
  if (pairs.size > MOST_EDGES)
    throw failure({
      code: 'ERR0803',
      file: units[0]?.place.file ?? '',
      detail: `the units have more than ${MOST_EDGES} dependencies`,
    });
  const found = [...pairs.values()].map((candidates): UnitEdge | undefined => {
    const best = candidates.find(({ via }) => via !== undefined) ?? candidates[0];
    if (best === undefined) return undefined;
    const { from, on, via, place } = best;
    const [required, ordered] = [
      candidates.some(({ isStrong }) => isStrong),
      candidates.some((each) => each.ordered),
    ];
    return { from, on, place, required, ordered, ...(via !== undefined && { via }) };
  });
  const sure = found.filter((edge) => edge !== undefined);
  const paths = startPaths();
  return [...sure.filter(({ required }) => required), ...sure.filter(({ required }) => !required)].map(
    (edge) => {
      if (paths.leads(edge.on, edge.from)) return { ...edge, isCircular: true };
      paths.add(edge);
      return edge;
    },
  );
};
