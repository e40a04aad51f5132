// Decides whether a process may use the control socket
// (`docs/security.md`, "Who may speak to a supervisor"). A confined service may not. If it is dynamic, it may
// only request children. The facts about the process come from the kernel
// (`src/sources/control/caller-process.ts` reads them).
import { childrenIn } from '../children/ending-children.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { shownId } from '../domain/ids.ts';
import { type ProcessRef, sameProcess } from '../domain/service/process.ts';
import type { Run } from '../domain/service/service-run.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { mayNotCommand, type OwnUser } from '../launch/confined.ts';
import { madeOf } from '../rollout/two-runs.ts';

/** The connecting process or one of its ancestors. */
export interface Link extends ProcessRef {
  readonly session: number;
  readonly group: number;
  /** The run tag in its environment, `<service>#<run>`; absent if it has none of this supervisor. */
  readonly mark?: string;
  /** The value of its rlimit tag, which every descendant of a run inherits; absent if it has none. */
  readonly tag?: string;
}

/**
 * Restrictions that a process cannot remove; each is true if the process has it and the supervisor does not.
 */
export interface Restrictions {
  readonly noNewPrivileges: boolean;
  readonly seccomp: boolean;
  /** True if its bounding set lacks a capability that the supervisor's has. */
  readonly fewerCapabilities: boolean;
  /** True if it is in another user or pid namespace than the supervisor. */
  readonly otherNamespace: boolean;
}

/** A process that connects to the control socket. */
export type Caller =
  | {
      readonly tag: 'known';
      /** The caller and its ancestors, up to but without the supervisor or pid 1. */
      readonly line: readonly Link[];
      /**
       * True if the ancestors lead to the supervisor: the caller descends from it, or was an orphan that it
       * adopted.
       */
      readonly isBelowSupervisor: boolean;
      readonly restrictions: Restrictions;
    }
  /** The kernel reports processes, but this one could not be identified. */
  | { readonly tag: 'unknown'; readonly detail: string }
  /** The kernel cannot report processes here. Then no service could be confined either. */
  | { readonly tag: 'unasked' };

export type Admission =
  | { readonly tag: 'whole' }
  /** The process may only request children (`sup spawn`). */
  | { readonly tag: 'narrow' }
  | { readonly tag: 'refused'; readonly detail: string };

export interface AdmissionFacts {
  readonly services: readonly Service[];
  readonly own: OwnUser;
  /** Returns the ids of the services that the run tag and the rlimit tag of a process name. */
  readonly namedBy: (link: Link) => readonly string[];
}

/** A live run and the declaration that it was started with. */
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
 * True if the process is the leader of the run, or in its session or process group: a process cannot enter
 * those of another service.
 */
const isProvenBy = ({ leader }: LivingRun, link: Link): boolean =>
  sameProcess(leader, link) ||
  (link.startTicks >= leader.startTicks && (link.session === leader.pid || link.group === leader.pid));

const refusedFor = (spec: ServiceSpec): Admission =>
  spec.spawn.mode === 'dynamic'
    ? { tag: 'narrow' }
    : { tag: 'refused', detail: `it belongs to ${shownId(spec.id)}, which is confined` };

/**
 * Returns a sentence about a restriction of the process that a confined service also has; `undefined` if
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
 * Decides about a process that cannot be connected to a live run: it is refused if it looks like one that has
 * left a confined service.
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
    ? hidden('it was started by a service and carries the mark of none')
    : WHOLE;
};

const isNotNone = (spec: ServiceSpec | undefined): spec is ServiceSpec => spec !== undefined;

/**
 * Returns the confined service to which one of these processes belongs, by session and group or by its tags;
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

/** Returns all declarations that a run of the service has, or will have. */
const declarations = (service: Service): readonly ServiceSpec[] =>
  [...madeOf(service), service.revised].filter(isNotNone);

const confinedAmong = ({ services, own }: Pick<AdmissionFacts, 'services' | 'own'>): readonly ServiceSpec[] =>
  services.flatMap(declarations).filter((spec) => mayNotCommand(spec, own));

/** True if every caller is admitted, because no service is confined. */
export const isOpenToAll = (facts: Pick<AdmissionFacts, 'services' | 'own'>): boolean =>
  confinedAmong(facts).length === 0;

/**
 * Decides about a caller by the current services. While no confined service is declared, every caller is
 * admitted.
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
