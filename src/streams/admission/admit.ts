// Decides whether a process may use the control socket (`docs/security.md`, "Who may speak to a supervisor").
// A process of a confined service may not. If the service is dynamic, its processes may only request
// children. The facts about the process come from the kernel (`src/sources/control/caller-process.ts` reads
// them).
import { childrenIn } from '../children/ending-children.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
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
  /**
   * The run tag in the environment of the process, `<service>#<run>`; absent if it has none of this
   * supervisor.
   */
  readonly mark?: string;
  /**
   * The rlimit tag of the process (a resource limit whose value every descendant of a run inherits); absent
   * if it has none.
   */
  readonly tag?: string;
}

/**
 * Restrictions that a process cannot remove. Each is true if the process has the restriction and the
 * supervisor does not.
 */
export interface Restrictions {
  readonly noNewPrivileges: boolean;
  readonly seccomp: boolean;
  /** True if the capability bounding set of the process lacks a capability that the supervisor's set has. */
  readonly fewerCapabilities: boolean;
  /** True if the process is in another user or pid namespace than the supervisor. */
  readonly otherNamespace: boolean;
}

/** A process that connects to the control socket. */
export type Caller =
  | {
      readonly tag: 'known';
      /**
       * The process that connects, then its ancestors up to the supervisor or pid 1, which are not included.
       */
      readonly line: readonly Link[];
      /** True if the process descends from the supervisor, or was an orphan that the supervisor adopted. */
      readonly isBelowSupervisor: boolean;
      readonly restrictions: Restrictions;
    }
  /** The kernel reports processes, but the connecting process could not be identified. */
  | { readonly tag: 'unknown'; readonly detail: string }
  /** The kernel cannot report processes on this machine; then no service could be confined either. */
  | { readonly tag: 'unasked' };

export type Admission =
  | { readonly tag: 'whole' }
  /** The process is admitted, but only to request children (`sup spawn`). */
  | { readonly tag: 'narrow' }
  | { readonly tag: 'refused'; readonly detail: string };

export interface AdmissionFacts {
  readonly services: readonly Service[];
  readonly own: OwnUser;
  /** Returns the ids of the services that the run tag and the rlimit tag of a process mean. */
  readonly namedBy: (link: Link) => readonly string[];
}

/** A live run: its main process, and the declaration with which it was started. */
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
 * True if the process certainly belongs to the run: it is the main process, or in the session or process
 * group of the main process. A process cannot enter those of another service.
 */
const isProvenBy = ({ leader }: LivingRun, link: Link): boolean =>
  sameProcess(leader, link) ||
  (link.startTicks >= leader.startTicks && (link.session === leader.pid || link.group === leader.pid));

const refusedFor = (spec: ServiceSpec): Admission =>
  spec.spawn.mode === 'dynamic'
    ? { tag: 'narrow' }
    : { tag: 'refused', detail: `it belongs to ${shownId(spec.id)}, which is confined` };

/**
 * Returns a sentence about a restriction that both the process and a confined service have; `undefined` if
 * there is none. Such a process may have left a confined service and hidden its origin.
 */
const restrictionText = (
  restrictions: Restrictions,
  confined: readonly ServiceSpec[],
): string | undefined => {
  const some = (holds: (privilege: ServiceSpec['privilege']) => boolean): boolean =>
    confined.some(({ privilege }) => holds(privilege));
  const { noNewPrivileges, seccomp, fewerCapabilities, otherNamespace } = restrictions;
  if (otherNamespace) return 'it is in another user or pid namespace than the supervisor';
  if (seccomp && some(({ isolation }) => isolation?.seccomp !== undefined))
    return 'its system calls are filtered, those of the supervisor are not';
  if (noNewPrivileges && some(({ isolation }) => (isolation?.landlock ?? isolation?.seccomp) !== undefined))
    return 'it has no_new_privs, and the supervisor does not';
  return fewerCapabilities && some(({ capabilities }) => capabilities !== undefined)
    ? 'its capability bounding set is smaller than that of the supervisor'
    : undefined;
};

const MAY_BE = 'it may belong to a confined service';

const hidden = (detail: string): Admission => ({ tag: 'refused', detail: `${MAY_BE}: ${detail}` });

/**
 * Decides about a process that cannot be connected to a live run. It is refused if it may have left a
 * confined service.
 */
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
 * Returns the confined service to which one of these processes belongs by session, process group or tags;
 * `undefined` if there is none.
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

/** Returns all declarations that the runs of the service have, or that its next run will have. */
const declarations = (service: Service): readonly ServiceSpec[] =>
  [...madeOf(service), service.revised].filter(isNotNone);

const confinedAmong = ({ services, own }: Pick<AdmissionFacts, 'services' | 'own'>): readonly ServiceSpec[] =>
  services.flatMap(declarations).filter((spec) => mayNotCommand(spec, own));

/** True if every process is admitted to the control socket, because no service is confined. */
export const isOpenToAll = (facts: Pick<AdmissionFacts, 'services' | 'own'>): boolean =>
  confinedAmong(facts).length === 0;

/**
 * Decides whether a process is admitted to the control socket, by the current services. As long as no service
 * is confined, every process is admitted.
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
