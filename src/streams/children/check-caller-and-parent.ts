// Checks the caller of `sup spawn` and the parent of the new child. The parent is the living run from which
// the requesting process (the caller) descends, according to `/proc`. If the environment of the process names
// a run, it must be the same run.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "The caller".
import { childrenIn } from '../domain/service/child.ts';
import type { SupError } from '../domain/errors/error.ts';
import type { RunId } from '../domain/ids.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type {
  Ancestor,
  Ancestry,
  DeclaredUids,
  Confinement,
  ConfinementDifference,
} from '../domain/service/ancestry.ts';
import { sameProcess, type ProcessRef } from '../domain/service/process.ts';
import type { Run } from '../domain/service/service-run.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { accountNameOf } from '../launch/namespace-steps.ts';
import { unitMark } from '../env/run-tag.ts';
import { presentRun } from '../service/service-input.ts';
import { livesAsParent } from './family.ts';

// Compares the confinement of the requesting process with that of the main process of its run. A child gets
// the confinement of the service. A process that is more confined than the service may not request a child,
// because it could escape through the child.
//
// Only these two processes are compared. Processes pass on `no_new_privs`, filters, bounding set and
// namespaces to their children, so a restriction that was added anywhere between the two is visible in the
// requesting process. Landlock is not visible in `/proc`, but `no_new_privs`, which Landlock needs, is.

/**
 * The suffix of some names in `/proc/<pid>/ns`. A name with this suffix stands for the namespace that future
 * children of the process will get, not for the namespace of the process.
 */
const OF_CHILDREN = '_for_children';

const isSame = (what: string, asks: Confinement, leader: Confinement): boolean => {
  const here = asks[what];
  return here === leader[what] || (here !== '' && here === leader[`${what}${OF_CHILDREN}`]);
};

/**
 * Returns the differences between the confinement of the requesting process and of the main process of its
 * run; `undefined` if one of the two is unknown.
 */
const confinementDifferences = (
  asks: Confinement | undefined,
  leader: Confinement | undefined,
): readonly ConfinementDifference[] | undefined => {
  if (asks === undefined || leader === undefined) return undefined;
  const names = [...new Set([...Object.keys(asks), ...Object.keys(leader)])];
  return names
    .filter((what) => !isSame(what, asks, leader))
    .map((what) => ({ what, asks: asks[what] ?? '', leader: leader[what] ?? '' }));
};

type Asker =
  | { readonly ok: true; readonly service: Service; readonly run: RunId }
  | { readonly ok: false; readonly error: SupError };

interface Led {
  readonly service: Service;
  readonly run: RunId;
  readonly leader: ProcessRef;
  /** The declaration with which the run was started. Absent for a child. */
  readonly own?: ServiceSpec;
  /** True for a child that outlived its parent because the termination policy is `orphan`. */
  readonly isOrphan: boolean;
}

const runIn = (service: Service, own: Run): readonly Led[] =>
  'process' in own.actual
    ? [
        {
          ...{ service, run: presentRun(own), leader: own.actual.process, own: own.spec },
          isOrphan: false,
        },
      ]
    : [];

/** Returns the main processes of all runs of the service, and of its children. */
const ledBy = (service: Service): readonly Led[] => [
  ...runsOf(service).flatMap((run) => runIn(service, run)),
  ...childrenIn(service).flatMap(({ run, actual, parent }) =>
    'process' in actual ? [{ service, run, leader: actual.process, isOrphan: parent === 'nobody' }] : [],
  ),
];

const STRANGER = 'sup spawn works only inside a running service';

const refused = (error: SupError): Asker => ({ ok: false, error });

const stranger = (detail: string): Asker => refused({ code: 'ERR0401', detail });

interface Met {
  readonly led: Led;
  readonly by: Ancestor;
}

/** Returns the nearest process of the ancestry that is the main process of a run, with that run. */
export const meet = (line: readonly Ancestor[], services: readonly Service[]): Met | undefined => {
  const all = services.flatMap(ledBy);
  for (const by of line) {
    const led = all.find(({ leader }) => sameProcess(leader, by));
    if (led !== undefined) return { led, by };
  }
  return undefined;
};

interface Traced {
  readonly met: Met;
  readonly asks: Ancestor;
  readonly declared: DeclaredUids;
}

/** Returns the uid with which children start; `undefined` if this machine does not have the account. */
const uidOfChildren = ({ spec }: Service, { own, byUser }: DeclaredUids): number | undefined => {
  const account = accountNameOf(spec);
  return account === undefined ? own : byUser[account];
};

/** True if the newest declaration of the service has another user or confinement than this run. */
const isOtherwiseDeclared = ({ own, service }: Led): boolean =>
  own !== undefined && JSON.stringify(own.privilege) !== JSON.stringify(service.spec.privilege);

/**
 * Returns a refusal if the requesting process or the main process of its run does not run as the declared
 * user.
 */
const foreignUser = ({ met: { led, by }, asks, declared }: Traced): Asker | undefined => {
  const { service, run } = led;
  const mark = unitMark(service.spec.id, run);
  const uid = uidOfChildren(service, declared);
  if (uid === undefined)
    return stranger(`this machine does not know the user "${accountNameOf(service.spec) ?? ''}" of ${mark}`);
  const others = (one: Ancestor): readonly number[] => one.uids.filter((own) => own !== uid);
  const [askers] = others(asks);
  if (askers !== undefined)
    return stranger(
      `it runs as user ${askers}, and ${mark} is declared to run as user ${uid}: only that user may ask`,
    );
  const [leaders] = others(by);
  return leaders === undefined
    ? undefined
    : stranger(`the main process of ${mark} runs as user ${leaders}, and is declared to run as user ${uid}`);
};

const otherwiseConfined = ({ met: { led, by }, asks }: Traced): Asker | undefined => {
  const differences = confinementDifferences(asks.confinement, by.confinement);
  if (differences?.length === 0) return undefined;
  return refused({ code: 'ERR0408', of: led.service.spec.id, differences: differences ?? [] });
};

const judged = (traced: Traced, unit: string | undefined): Asker => {
  const { service, run, isOrphan } = traced.met.led;
  const { id, spawn } = service.spec;
  const mark = unitMark(id, run);
  if (unit !== undefined && unit !== mark)
    return stranger(`its environment says ${unit}, and its ancestry ${mark}`);
  if (spawn.mode === 'static') return refused({ code: 'ERR0402', of: id });
  const foreign = foreignUser(traced);
  if (foreign !== undefined) return foreign;
  if (isOrphan) return stranger(`${mark} has no parent any more: its parent has ended`);
  if (isOtherwiseDeclared(traced.met.led))
    return stranger(`a rollout of ${mark} changes its user or its confinement: ask again when it is over`);
  return otherwiseConfined(traced) ?? granted(service, run);
};

const granted = (service: Service, run: RunId): Asker =>
  livesAsParent(service, run)
    ? { ok: true, service, run }
    : refused({ code: 'ERR0407', of: service.spec.id });

/**
 * Returns the service and the run that request the child, or the error. `unit`: the run that the environment
 * of the process names.
 */
export const askerIn = (
  services: readonly Service[],
  ancestry: Ancestry,
  unit: string | undefined,
): Asker => {
  if (ancestry.tag === 'unknown') return refused({ code: 'ERR0406', detail: ancestry.detail });
  const { line, declared } = ancestry;
  const [asks] = line;
  const met = meet(line, services);
  return asks === undefined || met === undefined ? stranger(STRANGER) : judged({ met, asks, declared }, unit);
};

/** Returns the accounts of all services that may request children. */
export const usersWithChildren = (services: readonly Service[]): readonly string[] => [
  ...new Set(
    services.flatMap(({ spec }) => (spec.spawn.mode === 'dynamic' ? (accountNameOf(spec) ?? []) : [])),
  ),
];
