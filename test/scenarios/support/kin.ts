// The processes of a scenario: by the mark in their environment, by their directory, or seen before.
import { everybody, isSame, type Process, type Tied } from './process-table.ts';

export interface Place {
  /** Holds everything of the scenario. */
  readonly root: string;
  readonly data: string;
}

/** A process of a service: `unit` is its `SUP_UNIT`, `leader` says that it leads its session. */
export interface Member extends Process {
  readonly service: string;
  readonly run: number;
  readonly leader: boolean;
}

const UNIT = /^([^!#][^#]*)#(\d+)$/;

const memberOf = (tied: Tied, data: string): readonly Member[] => {
  if (tied.environment.get('SUP_SUPERVISOR') !== data) return [];
  const [, service, run] = UNIT.exec(tied.environment.get('SUP_UNIT') ?? '') ?? [];
  if (service === undefined) return [];
  const { pid, parent, session, startTicks, command } = tied;
  return [{ pid, parent, session, startTicks, command, service, run: Number(run), leader: pid === session }];
};

/** Every live process of the services of the supervisor of `data`. */
export const membersOf = (data: string): readonly Member[] =>
  everybody().flatMap((tied) => memberOf(tied, data));

const isKin = ({ environment, directory }: Tied, { root, data }: Place): boolean =>
  environment.get('SUP_SUPERVISOR') === data ||
  environment.get('SUP_DATA_DIR') === data ||
  directory === root ||
  directory.startsWith(`${root}/`);

/** The live processes of the scenario: its services, their strays, the supervisor, commands. */
export const kinOf = (place: Place): readonly Process[] =>
  everybody()
    .filter((tied) => isKin(tied, place))
    .map(({ pid, parent, session, startTicks, command }) => ({ pid, parent, session, startTicks, command }));

/** Those of the seen that are alive still. */
export const stillAlive = (seen: Iterable<Process>): readonly Process[] => [...seen].filter(isSame);
