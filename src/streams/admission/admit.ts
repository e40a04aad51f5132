// Decides whether a process may use the control socket. A confined service may not
// (`docs/security.md`, "Who may speak to a supervisor"). If it is dynamic, it may only request children. The
// process is described by the kernel (`src/sources/control/caller-process.ts` reads it).
import { childrenIn } from '../children/ending-children.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { shownId } from '../domain/ids.ts';
import { type ProcessRef, sameProcess } from '../domain/service/process.ts';
import type { Run } from '../domain/service/service-run.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { mayNotCommand, type OwnUser } from '../launch/confined.ts';
import { madeOf } from '../rollout/two-runs.ts';

/** The caller or one of its ancestors. */
export interface Link extends ProcessRef {
  readonly session: number;
  readonly group: number;
  /** The mark in its environment, if that names this supervisor: `<service>#<run>`. */
  readonly mark?: string;
  /** The number of its inherited rlimit tag. */
  readonly tag?: string;
}

/** Restrictions that a process cannot undo, compared with the supervisor's. */
export interface Restrictions {
  readonly noNewPrivileges: boolean;
  readonly seccomp: boolean;
  /** Fewer capabilities in its bounding set than in the supervisor's. */
  readonly fewerCapabilities: boolean;
  /** True in another user or pid namespace. */
  readonly otherNamespace: boolean;
}

/** A process that connects to the control socket. */
export type Caller =
  | {
      readonly tag: 'known';
      /** From the caller upwards; ends below the supervisor, or below pid 1. */
      readonly line: readonly Link[];
      /**
       * True if the line ends at the supervisor: the caller descends from it, or is an orphan that it
       * adopted.
       */
      readonly isBelowSupervisor: boolean;
      readonly restrictions: Restrictions;
    }
  /** The kernel can be asked, but does not identify the process. */
  | { readonly tag: 'unknown'; readonly detail: string }
  /** The kernel cannot be asked, so no service was confined either. */
  | { readonly tag: 'unasked' };

export type Admission =
  | { readonly tag: 'whole' }
  /** Only `sup spawn`. */
  | { readonly tag: 'narrow' }
  | { readonly tag: 'refused'; readonly detail: string };

export interface AdmissionFacts {
  readonly services: readonly Service[];
  readonly own: OwnUser;
  /** The services that the mark and the rlimit tag of a process name. */
  readonly namedBy: (link: Link) => readonly string[];
}

/** A living run, with the declaration that it was started with. */
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

/** True by descent, session or group: a process cannot enter those of another service. */
const isProvenBy = ({ leader }: LivingRun, link: Link): boolean =>
  sameProcess(leader, link) ||
  (link.startTicks >= leader.startTicks && (link.session === leader.pid || link.group === leader.pid));

const refusedFor = (spec: ServiceSpec): Admission =>
  spec.spawn.mode === 'dynamic'
    ? { tag: 'narrow' }
    : { tag: 'refused', detail: `it belongs to ${shownId(spec.id)}, which is confined` };

/**
 * Returns a restriction that the process shares with a service of these declarations. The process may have
 * hidden its origin.
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
 * Judges a process that belongs to no proven living run: it must not look like one that left a confined
 * service.
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

/** Returns the confined service that the line belongs to, by proof or by its marks. */
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

/** Returns all declarations that a run has, or will have. */
const declarations = (service: Service): readonly ServiceSpec[] =>
  [...madeOf(service), service.revised].filter(isNotNone);

const confinedAmong = ({ services, own }: Pick<AdmissionFacts, 'services' | 'own'>): readonly ServiceSpec[] =>
  services.flatMap(declarations).filter((spec) => mayNotCommand(spec, own));

/** True if every caller is admitted. */
export const isOpenToAll = (facts: Pick<AdmissionFacts, 'services' | 'own'>): boolean =>
  confinedAmong(facts).length === 0;

/** Decides by the current services. While no confined service is declared, every caller is admitted. */
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
