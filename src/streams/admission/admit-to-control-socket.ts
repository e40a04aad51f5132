// Decides whether a process may use the control socket (`docs/security.md`, "Who may speak to a supervisor").
// A process of a confined service may not use it, except to request children if the service may spawn them.
// The facts about the process come from the operating system (`src/sources/control/connected-process.ts`).
import { childrenIn } from '../domain/service/child.ts';
import type { IsolationSpec, ServiceSpec } from '../domain/declared/spec.ts';
import { shownId } from '../domain/ids.ts';
import { type ProcessRef, sameProcess } from '../domain/service/process.ts';
import type { Run } from '../domain/service/service-run.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { mayNotCommand, type OwnUser } from '../launch/confined.ts';
import { madeOf } from '../rollout/two-runs.ts';

/** The process that connects to the control socket, or one of its ancestors. */
export interface Link extends ProcessRef {
  readonly session: number;
  readonly group: number;
  /** The run tag in the environment of the process, `<service>#<run>`, if this supervisor has set it. */
  readonly mark?: string;
  /** The rlimit tag of the process: a number in a resource limit, which all descendants of a run inherit. */
  readonly tag?: string;
}

/**
 * Restrictions that a process cannot remove. Each is true if the process has it and the supervisor does not.
 */
export interface Restrictions {
  readonly noNewPrivileges: boolean;
  readonly seccomp: boolean;
  /** The capability bounding set of the process lacks a capability that is in the set of the supervisor. */
  readonly fewerCapabilities: boolean;
  /** The process is in another user or pid namespace than the supervisor. */
  readonly otherNamespace: boolean;
}

export type Caller =
  | {
      readonly tag: 'known';
      /** The connecting process, followed by its ancestors. The supervisor and pid 1 are left out. */
      readonly line: readonly Link[];
      /** The process descends from the supervisor, or was an orphan that the supervisor adopted. */
      readonly isBelowSupervisor: boolean;
      readonly restrictions: Restrictions;
    }
  /** The operating system reports processes, but the connecting process could not be identified. */
  | { readonly tag: 'unknown'; readonly detail: string }
  /** The operating system cannot report processes. On such a system no service can be confined. */
  | { readonly tag: 'unasked' };

export type Admission =
  | { readonly tag: 'whole' }
  /** The process is admitted only to request children (`sup spawn`). */
  | { readonly tag: 'narrow' }
  | { readonly tag: 'refused'; readonly detail: string };

export interface AdmissionFacts {
  readonly services: readonly Service[];
  readonly own: OwnUser;
  /** Returns the ids of the services that the tags of the process name. */
  readonly namedBy: (link: Link) => readonly string[];
}

/** A live run: its main process, and the declaration it started with. */
interface LivingRun {
  readonly leader: ProcessRef;
  readonly spec: ServiceSpec;
}

const WHOLE: Admission = { tag: 'whole' };

const ledBy = ({ actual, spec }: Run): readonly LivingRun[] =>
  'process' in actual ? [{ leader: actual.process, spec }] : [];

const livingRuns = (service: Service): readonly LivingRun[] => [
  ...runsOf(service).flatMap(ledBy),
  ...childrenIn(service).flatMap(({ actual }) =>
    'process' in actual ? [{ leader: actual.process, spec: service.spec }] : [],
  ),
];

/**
 * True if the process certainly belongs to the run: it is the main process of the run, or is in the session
 * or process group of the main process. A process of another run cannot join this session or group.
 */
const isProvenBy = ({ leader }: LivingRun, link: Link): boolean =>
  sameProcess(leader, link) ||
  (link.startTicks >= leader.startTicks && (link.session === leader.pid || link.group === leader.pid));

const refusedFor = (spec: ServiceSpec): Admission =>
  spec.spawn.mode === 'dynamic'
    ? { tag: 'narrow' }
    : { tag: 'refused', detail: `it belongs to ${shownId(spec.id)}, which is confined` };

const isFiltered = ({ seccomp, addressFamilies }: IsolationSpec): boolean =>
  (seccomp ?? addressFamilies) !== undefined;

const gainsNothing = (isolation: IsolationSpec): boolean =>
  isFiltered(isolation) ||
  isolation.noNewPrivs === true ||
  (isolation.landlock ?? isolation.ports) !== undefined;

/**
 * Returns a sentence that names a restriction of the process. The restriction shows that the process may come
 * from a confined service.
 */
const restrictionText = (
  restrictions: Restrictions,
  confined: readonly ServiceSpec[],
): string | undefined => {
  const some = (holds: (privilege: ServiceSpec['privilege']) => boolean): boolean =>
    confined.some(({ privilege }) => holds(privilege));
  const { noNewPrivileges, seccomp, fewerCapabilities, otherNamespace } = restrictions;
  if (otherNamespace) return 'it is in another user or pid namespace than the supervisor';
  if (seccomp && some(({ isolation }) => isolation !== undefined && isFiltered(isolation)))
    return 'its system calls are filtered, those of the supervisor are not';
  if (noNewPrivileges && some(({ isolation }) => isolation !== undefined && gainsNothing(isolation)))
    return 'it has no_new_privs, and the supervisor does not';
  return fewerCapabilities && some(({ capabilities }) => capabilities !== undefined)
    ? 'its capability bounding set is smaller than that of the supervisor'
    : undefined;
};

const MAY_BE = 'it may belong to a confined service';

const hidden = (detail: string): Admission => ({ tag: 'refused', detail: `${MAY_BE}: ${detail}` });

/** Decides about a process that belongs to no live run: refuses it if it may come from a confined service. */
const judgeUnproven = (
  { line, isBelowSupervisor, restrictions }: Extract<Caller, { tag: 'known' }>,
  confined: readonly ServiceSpec[],
): Admission => {
  const text = restrictionText(restrictions, confined);
  if (text !== undefined) return hidden(text);
  const [first] = line;
  if (first === undefined) return hidden('it has ended, or cannot be looked at');
  return isBelowSupervisor && line.every(({ mark, tag }) => mark === undefined && tag === undefined)
    ? hidden('it was started by a service and carries the run tag of none')
    : WHOLE;
};

const isNotNone = (spec: ServiceSpec | undefined): spec is ServiceSpec => spec !== undefined;

/**
 * Returns the declaration of a confined service to which one of these processes belongs; `undefined` if there
 * is none. The session, process group and tags of a process show to which service it belongs.
 */
const confinedOf = (
  line: readonly Link[],
  { services, own, namedBy }: AdmissionFacts,
): ServiceSpec | undefined => {
  const runs = services.flatMap(livingRuns).filter(({ spec }) => mayNotCommand(spec, own));
  const proven = runs.find((run) => line.some((link) => isProvenBy(run, link)))?.spec;
  const names = new Set(line.flatMap(namedBy));
  return (
    proven ??
    services
      .filter(({ spec }) => names.has(spec.id))
      .flatMap(madeOf)
      .find((spec) => mayNotCommand(spec, own))
  );
};

/** Returns the declarations of the service's runs and of its next run. */
const declarations = (service: Service): readonly ServiceSpec[] =>
  [...madeOf(service), service.revised].filter(isNotNone);

const confinedAmong = ({ services, own }: Pick<AdmissionFacts, 'services' | 'own'>): readonly ServiceSpec[] =>
  services.flatMap(declarations).filter((spec) => mayNotCommand(spec, own));

/** True if no service is confined, so that every process is admitted. */
export const isOpenToAll = (facts: Pick<AdmissionFacts, 'services' | 'own'>): boolean =>
  confinedAmong(facts).length === 0;

/**
 * Decides whether a process is admitted to the control socket. The decision depends on the present
 * declarations and runs of all services.
 */
export const admit = (caller: Caller, facts: AdmissionFacts): Admission => {
  const { services } = facts;
  if (caller.tag === 'unasked') return WHOLE;
  const confined = confinedAmong(facts);
  if (confined.length === 0) return WHOLE;
  if (caller.tag === 'unknown') return hidden(caller.detail);
  const { line } = caller;
  const member = confinedOf(line, facts);
  if (member !== undefined) return refusedFor(member);
  const isProven = services.flatMap(livingRuns).some((run) => line.some((link) => isProvenBy(run, link)));
  return isProven ? WHOLE : judgeUnproven(caller, confined);
};
