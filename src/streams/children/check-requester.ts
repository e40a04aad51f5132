// Finds the run that requests a child: the living run from which the requesting process descends, by the
// kernel's word. The run named by the environment of the process must be the same.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "The caller".
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
import { childrenIn } from './ending-children.ts';

// Compares the confinement of the requesting process with that of its run's main process. A child gets the
// confinement of the service; a process that confined itself further may not have one, because it could
// escape through it.
//
// Only the two ends are compared: the processes in between pass on `no_new_privs`, filters, bounding set and
// namespaces, so any restriction shows in the requester. Landlock does not show in `/proc`, but
// `no_new_privs`, which it needs, does.

/** Marks a namespace that applies to the processes which the leader forks, not to itself. */
const OF_CHILDREN = '_for_children';

const isSame = (what: string, asks: Confinement, leader: Confinement): boolean => {
  const here = asks[what];
  return here === leader[what] || (here !== '' && here === leader[`${what}${OF_CHILDREN}`]);
};

/** Returns what differs between requesting process and leader; `undefined` if one is not known. */
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
  /** The declaration that the run started with; absent for a child. */
  readonly own?: ServiceSpec;
  /** A child that outlived its parent, by the termination policy `orphan`. */
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

/** Returns the main processes of all runs of the service and of its children. */
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

/** Returns the nearest ancestor of the requester that leads a run, with that run. */
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

/** Returns the uid with which children start, if this machine has that account. */
const uidOfChildren = ({ spec }: Service, { own, byUser }: DeclaredUids): number | undefined => {
  const account = accountNameOf(spec);
  return account === undefined ? own : byUser[account];
};

/** True if the service is now declared with another user or confinement than this run has. */
const isOtherwiseDeclared = ({ own, service }: Led): boolean =>
  own !== undefined && JSON.stringify(own.privilege) !== JSON.stringify(service.spec.privilege);

/** Refuses a leader or requester that may not have children as the service's declared user. */
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

/** Returns the service and run that request the child, or the error. `unit`: the run in its environment. */
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

/** Returns the accounts of all services that may have children. */
export const usersWithChildren = (services: readonly Service[]): readonly string[] => [
  ...new Set(
    services.flatMap(({ spec }) => (spec.spawn.mode === 'dynamic' ? (accountNameOf(spec) ?? []) : [])),
  ),
];
