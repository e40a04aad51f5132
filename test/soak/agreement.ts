// Whether model, status, record and process table agree at one moment: every disagreement in words.
import { connect } from '../../src/client/client.ts';
import { peekStore } from '../../src/sources/store/read-saved-state.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import type { ServiceDocument, StatusDocument } from '../../src/streams/wire/documents/documents.ts';
import { membersOf, type Member } from '../scenarios/support/kin.ts';
import type { Stage } from '../scenarios/support/stage.ts';
import { guardiansOf, supervisors } from '../scenarios/support/supervisors.ts';
import { ANCHOR, codeOf, NAMES, type Name } from './cast.ts';
import type { Model } from './model.ts';

export interface Look {
  readonly document: StatusDocument;
  readonly services: ReadonlyMap<string, ServiceDocument>;
  readonly wrong: readonly string[];
}

const GOES_BY = new Set(['starting', 'running', 'backoff', 'waiting', 'stopping']);

const processesWrong = (
  name: string,
  { state, pid, run }: ServiceDocument,
  all: readonly Member[],
): readonly string[] => {
  const members = all.filter(({ service }) => service === `__loose__/${name}`);
  const told = `${name} is ${state} (pid ${pid ?? '-'}, run ${run})`;
  const alive = members.map((one) => `${one.pid} of run ${one.run}`).join(', ');
  if (pid === null) return members.length === 0 ? [] : [`${told}, alive: ${alive}`];
  const strange = members.filter((one) => one.run !== run);
  const there = members.some((one) => one.pid === pid && one.leader);
  return strange.length === 0 && there ? [] : [`${told}, alive: ${alive}`];
};

const wantedWrong = (name: Name, { wanted, state }: ServiceDocument, model: Model): readonly string[] => {
  const possible = model.possible(name);
  if (!possible.has(wanted))
    return [`${name} is wanted ${wanted}, it was asked to be ${[...possible].join(' or ')}`];
  const right =
    wanted === 'down' ? state === 'stopped' : name === 'exits' ? GOES_BY.has(state) : state === 'running';
  return right ? [] : [`${name} is wanted ${wanted} and ${state}`];
};

const recordedPid = (one: Service | undefined): number | null =>
  one !== undefined && 'process' in one.actual ? one.actual.process.pid : null;

const recordWrong = ({ data }: Stage, services: Look['services']): readonly string[] => {
  const recorded = new Map(peekStore(data).services.map((one) => [one.spec.name, one]));
  return [...services].flatMap(([name, { pid, run }]) => {
    const one = recorded.get(name);
    const told = `pid ${recordedPid(one)}, run ${one?.runs}`;
    const shown = `pid ${pid}, run ${run}`;
    return name === 'exits' || told === shown ? [] : [`${name}: on record ${told}; status says ${shown}`];
  });
};

/** Compares reported exits with the kernel. An exit that was not seen is not wrong. */
const exitWrong = (services: Look['services']): readonly string[] => {
  const { last_exit: exit, run } = services.get('exits') ?? {};
  if (exit === undefined || exit === null || run === undefined || exit.code === null) return [];
  return [run, run - 1].some((each) => codeOf(each) === exit.code)
    ? []
    : [`exits: run ${run}, its last exit is told as ${exit.code}`];
};

const supervisorWrong = (stage: Stage): readonly string[] => {
  const all = supervisors(stage);
  const guardians = guardiansOf(stage);
  return all.length - guardians.length === 1 && guardians.length <= 1
    ? []
    : [`alive: ${all.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`];
};

/** `undefined` if no supervisor answers. */
export const look = async (stage: Stage, model: Model): Promise<Look | undefined> => {
  const client = await connect(stage.data, { timeout: 5_000 }).catch(() => undefined);
  if (client === undefined) return undefined;
  try {
    const document = await client.call('status', {});
    const services = new Map(
      document.projects.flatMap(({ services: each }) => each.map((one) => [one.name, one])),
    );
    const members = membersOf(stage.data);
    const missing = [ANCHOR, ...NAMES]
      .filter((name) => !services.has(name))
      .map((name) => `${name} is unknown`);
    const wrong = [
      ...missing,
      ...NAMES.flatMap((name) => {
        const service = services.get(name);
        return service === undefined ? [] : wantedWrong(name, service, model);
      }),
      ...[...services].flatMap(([name, service]) =>
        name === 'exits' ? [] : processesWrong(name, service, members),
      ),
      ...members
        .filter(({ service }) => !services.has(service.split('/')[1] ?? ''))
        .map(({ pid }) => `nobody's: ${pid}`),
      ...recordWrong(stage, services),
      ...exitWrong(services),
      ...supervisorWrong(stage),
    ];
    return { document, services, wrong };
  } catch (error) {
    return {
      document: { schema: 'sup.status/1' } as StatusDocument,
      services: new Map(),
      wrong: [String(error)],
    };
  } finally {
    client.close();
  }
};
