// Who asks for a child: the living run of a service that the kernel says it descends from (`docs/behaviour.md`, "Children that
// a service asks for"). What its environment says counts only where it says otherwise: then nobody believes it.
import type { SupError } from '../domain/errors/error.ts';
import type { RunId } from '../domain/ids.ts';
import type { Ancestor, Ancestry } from '../domain/service/child.ts';
import { sameProcess, type ProcessRef } from '../domain/service/process.ts';
import type { Service } from '../domain/service/service.ts';
import { unitMark } from '../env/service-environment.ts';
import { presentRun } from '../service/input.ts';
import { livesAsParent } from './family.ts';
import { childrenIn } from './following.ts';

type Asker =
  | { readonly ok: true; readonly service: Service; readonly run: RunId }
  | { readonly ok: false; readonly error: SupError };

interface Led {
  readonly service: Service;
  readonly run: RunId;
  readonly leader: ProcessRef;
  /** It was left behind by its parent, under the policy `orphan`. */
  readonly nobodys: boolean;
}

const runOf = (service: Service, own: Service): readonly Led[] =>
  'process' in own.actual
    ? [{ service, run: presentRun(own), leader: own.actual.process, nobodys: false }]
    : [];

/** All processes that lead a run of the service. */
const ledBy = (service: Service): readonly Led[] => [
  ...runOf(service, service),
  ...(service.rollout === undefined ? [] : runOf(service, service.rollout.other)),
  ...childrenIn(service).flatMap(({ run, actual, parent }) =>
    'process' in actual ? [{ service, run, leader: actual.process, nobodys: parent === 'nobody' }] : [],
  ),
];

const STRANGER =
  'this process is not a living part of a service: neither it nor any of its ancestors was started for one';

const refused = (error: SupError): Asker => ({ ok: false, error });

const stranger = (detail: string): Asker => refused({ code: 'ERR0401', detail });

interface Met {
  readonly led: Led;
  readonly by: Ancestor;
}

/** The nearest ancestor that leads a run. */
const meet = (line: readonly Ancestor[], services: readonly Service[]): Met | undefined => {
  const all = services.flatMap(ledBy);
  for (const by of line) {
    const led = all.find(({ leader }) => sameProcess(leader, by));
    if (led !== undefined) return { led, by };
  }
  return undefined;
};

const judged = ({ led, by }: Met, asks: Ancestor, unit: string | undefined): Asker => {
  const { service, run, nobodys } = led;
  const { id, spawn } = service.spec;
  const mark = unitMark(id, run);
  if (unit !== undefined && unit !== mark)
    return stranger(`its environment says ${unit}, and its ancestry ${mark}`);
  if (asks.uid !== by.uid)
    return stranger(`it runs as user ${asks.uid}, and ${mark} as user ${by.uid}: only the same user may ask`);
  if (spawn.mode === 'static') return refused({ code: 'ERR0402', of: id });
  if (nobodys) return stranger(`${mark} belongs to nobody any more: its parent has ended`);
  return livesAsParent(service, run) ? { ok: true, service, run } : refused({ code: 'ERR0407', of: id });
};

/** `unit`: what the environment of whoever asks says. */
export const askerIn = (
  services: readonly Service[],
  ancestry: Ancestry,
  unit: string | undefined,
): Asker => {
  if (ancestry.tag === 'unknown') return refused({ code: 'ERR0406', detail: ancestry.detail });
  const [asks] = ancestry.line;
  const met = meet(ancestry.line, services);
  return asks === undefined || met === undefined ? stranger(STRANGER) : judged(met, asks, unit);
};
