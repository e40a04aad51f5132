// Waits until services reach a goal, also across a restart of the supervisor (`docs/commands.md`, "wait").
import type { Selection } from '../../streams/domain/command.ts';
import { startTicksOf } from '../../os/proc/process-stat.ts';
import { Failure, failure } from '../../streams/views/errors/command-failure.ts';
import type { Goal, WaitDocument } from '../../streams/wire/documents/wait-document.ts';
import type { Client } from '../client.ts';
import { isGone, isSilent } from '../client-failure.ts';
import type { ReadPlace } from '../manifests/manifest-paths.ts';
import { awaited, goneBy, isReached, settled, stoppedByRecord, type Waited } from './await-services.ts';

interface Wish {
  readonly goal: Goal;
  readonly selection: Selection;
  /** The timeout, ms; `undefined` if there is no limit. */
  readonly timeout: number | undefined;
}

interface WaitPorts {
  readonly place: ReadPlace;
  /**
   * Connects to the supervisor. Resolves to `undefined` if none runs. `patience`: timeout for its answer, ms.
   */
  readonly open: (patience: number) => Promise<Client | undefined>;
}

/**
 * Minimum and maximum of the timeout for the supervisor's answer, ms. Between these limits, the timeout of
 * the command is used.
 */
const LEAST_MS = 800;
const LONGEST_MS = 5_000;

const patienceOf = ({ timeout = LONGEST_MS }: Wish): number =>
  Math.min(Math.max(timeout, LEAST_MS), LONGEST_MS);

/** Waits until services reach the goal. Resolves to `undefined` if the supervisor ends before that. */
const withSupervisor = async (client: Client, wish: Wish): Promise<Waited | undefined> => {
  const { pid } = client.hello;
  const supervisor = { pid, startTicks: startTicksOf(pid) };
  try {
    return await settled(client, await awaited(client, wish, patienceOf(wish)), wish.timeout);
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    await goneBy(supervisor);
    return undefined;
  } finally {
    client.close();
  }
};

/**
 * Resolves to the outcome if the records show that the goal `stopped` is reached. Otherwise rejects with
 * ERR0206.
 */
const withoutSupervisor = async (
  place: ReadPlace,
  { goal, selection }: Wish,
  hadOne: boolean,
): Promise<Waited> => {
  const services = goal === 'stopped' ? await stoppedByRecord(place, selection) : undefined;
  if (services !== undefined) return { services, timedOut: false };
  const { dataDir } = place;
  throw failure({ code: 'ERR0206', dataDir, ...(hadOne && { command: 'wait' }) });
};

/** Returns a copy of the wish in which the timeout is the remaining time. */
const leftOf = (wish: Wish, began: number): Wish => ({
  ...wish,
  timeout: wish.timeout && Math.max(wish.timeout - (performance.now() - began), 0),
});

/** Waits for the goal. If the supervisor restarts, waits again for the remaining time. */
const asked = async ({ place, open }: WaitPorts, wish: Wish): Promise<Waited> => {
  const began = performance.now();
  for (let hadOne = false; ; hadOne = true) {
    const left = leftOf(wish, began);
    const client = await open(patienceOf(left));
    const waited = client && (await withSupervisor(client, left));
    if (waited !== undefined) return waited;
    if (client === undefined) return withoutSupervisor(place, wish, hadOne);
  }
};

/**
 * Waits for the goal. If the supervisor has not answered when the timeout expires, the outcome is a timeout
 * and not an error.
 */
const outcome = async (ports: WaitPorts, wish: Wish): Promise<Waited> => {
  const began = performance.now();
  try {
    return await asked(ports, wish);
  } catch (thrown) {
    const isLate = wish.timeout !== undefined && performance.now() - began >= wish.timeout;
    throw isLate && isSilent(thrown) ? new Failure(thrown.document, 'timedOut') : thrown;
  }
};

/** Resolves when all services have reached the goal, when a service can never reach it, or at the timeout. */
export const waitFor = async (ports: WaitPorts, wish: Wish): Promise<WaitDocument> => {
  const { services, timedOut } = await outcome(ports, wish);
  const reached = isReached(services);
  return { schema: 'sup.wait/1', for: wish.goal, reached, timed_out: timedOut && !reached, services };
};
