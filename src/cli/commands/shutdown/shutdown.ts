// `sup shutdown`: stops all services, then the supervisor. The command ends when the supervisor's process and
// socket are gone.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { stopping } from '../../client/progress-texts.ts';
import type { Client } from '../../../client/client.ts';
import { isGone } from '../../../client/client-failure.ts';
import type { Context, Handler } from '../../context.ts';
import { guardiansOver } from '../../client/end-guardian.ts';
import { stopOver } from '../../client/ensure-supervisor.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { isSilence, killFrozen } from './kill-frozen.ts';
import { requireOwn } from '../../directory-owner.ts';
import { MOST_NAMES, printDone, remark } from '../../print.ts';
import { startTicksOf, statOf } from '../../../os/proc/process-stat.ts';
import { guardiansOf } from '../../../sources/process/guardian.ts';
import { runCommand } from '../../client/run-command.ts';
import { controlSocketOf } from '../../../client/control-socket.ts';
import { ms } from '../../../streams/domain/time.ts';
import { listedText } from '../../../streams/domain/listed-text.ts';
import { AWAITED, HOOKS_PATIENCE } from '../../../streams/hooks/wait-for-hooks.ts';
import type { Done } from '../../../streams/domain/command.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';
import type { Hello } from '../../../streams/wire/protocol.ts';
import { servicesIn, shownName } from '../../../client/live-model.ts';

/** How long the supervisor may take to exit after it has answered the shutdown request, ms. */
const LAST_STEPS_MS = 10_000;
/**
 * How long to wait for the supervisor's end, ms, before the command asks the supervisor which hooks have not
 * finished.
 */
const LOOK_MS = 1_000;
const NOTHING_TOLD: Done = { outcomes: [], warnings: [] };

/** True if both greetings come from the same process, or from supervisors of the same guardian. */
const isSame = (one: Hello, other: Hello): boolean =>
  one.pid === other.pid || (one.guardian !== undefined && one.guardian.pid === other.guardian?.pid);

/**
 * Sends the shutdown request again if a supervisor runs after the connection has ended. Does not send it to a
 * supervisor with another guardian, because another command started that supervisor.
 */
const askAgain = async (context: Context, { hello }: Client): Promise<Done | undefined> => {
  const again = await connectIfRunning(context.dataDir);
  try {
    if (again === undefined) return undefined;
    return isSame(again.hello, hello) ? await ended(context, again) : NOTHING_TOLD;
  } finally {
    again?.close();
  }
};

/**
 * Sends the shutdown request. A connection that ends before the answer is no failure: if a supervisor still
 * runs, the request is sent again.
 */
const askToEnd = async (context: Context, client: Client): Promise<Done | undefined> => {
  try {
    const activity = stopping({}, 'shutting down');
    return await runCommand(context, client, { command: { type: 'shutdown' }, activity });
  } catch (thrown) {
    if (isGone(thrown)) return askAgain(context, client);
    throw thrown;
  }
};

/**
 * Shuts the supervisor down and waits until it has exited. Resolves to its answer; `undefined` if no answer
 * arrived.
 */
const ended = async (context: Context, client: Client): Promise<Done | undefined> => {
  const { pid } = client.hello;
  const identity = { pid, startTicks: startTicksOf(pid) };
  const done = await askToEnd(context, client);
  await awaitEnd(context, client, identity);
  return done;
};

const isAnswering = async (dataDir: string): Promise<boolean> => {
  const client = await connectIfRunning(dataDir);
  client?.close();
  return client !== undefined;
};

/** True if the supervisor's process and socket are gone. Waits for this at most `patience` milliseconds. */
const isOver = async (
  { dataDir }: Context,
  { pid, startTicks }: Identity,
  patience: number,
): Promise<boolean> => {
  const until = performance.now() + patience;
  const socket = controlSocketOf(dataDir);
  while (startTicksOf(pid) === startTicks || existsSync(socket)) {
    // If a new supervisor answers at the socket, the old one is gone.
    if (startTicksOf(pid) !== startTicks && (await isAnswering(dataDir))) return true;
    if (performance.now() > until) return false;
    await pause(10);
  }
  return true;
};

const hooksAwaited = async (client: Client): Promise<readonly string[]> => {
  const status = await client.call('status', {}, { timeoutMs: LOOK_MS }).catch(() => undefined);
  return status?.supervisor.warnings.filter((text) => text.startsWith(AWAITED)) ?? [];
};

/** Prints which hooks the supervisor waits for. Resolves to the time that it may still take, ms. */
const lastSteps = async (context: Context, client: Client): Promise<number> => {
  const awaited = await hooksAwaited(client);
  awaited.forEach((text) => remark(context, text));
  return awaited.length === 0 ? LAST_STEPS_MS : HOOKS_PATIENCE + LAST_STEPS_MS;
};

const awaitEnd = async (context: Context, client: Client, identity: Identity): Promise<void> => {
  if (await isOver(context, identity, LOOK_MS)) return;
  const patience = await lastSteps(context, client);
  if (await isOver(context, identity, patience)) return;
  throw failure({ code: 'ERR0205', pid: identity.pid, waited: ms(LOOK_MS + patience) });
};

interface Identity {
  readonly pid: number;
  readonly startTicks: number | undefined;
}

/**
 * Returns the guardian that the greeting names, if its pid is still that of the supervisor's parent. If not,
 * the guardian may have exited, and its pid may belong to another process.
 */
const guardianBy = ({ pid, guardian }: Hello): readonly ProcessRef[] => {
  if (guardian === undefined || statOf(pid)?.parent !== guardian.pid) return [];
  const startTicks = startTicksOf(guardian.pid);
  return startTicks === undefined ? [] : [{ pid: guardian.pid, startTicks }];
};

/**
 * Ends guardians. Also shuts down supervisors that the guardians start in the meantime, and resolves to the
 * last answer of these supervisors, if any.
 */
const guardiansEnded = async (
  context: Context,
  guardians: readonly ProcessRef[],
): Promise<Done | undefined> => {
  let told: Done | undefined;
  for (;;) {
    const client = await guardiansOver(context.dataDir, guardians);
    if (client === undefined) return told;
    try {
      told = (await ended(context, client)) ?? told;
    } finally {
      client.close();
    }
  }
};

const stopOffline = async (context: Context): Promise<Done> => {
  const { offlineStop } = await import('../../offline/offline-stop.ts');
  return offlineStop(context, {});
};

interface Ended {
  readonly done: Done;
  /** True if a supervisor was running. */
  readonly supervised: boolean;
}

const endWithout = async (context: Context, guardians: readonly ProcessRef[]): Promise<Ended> => {
  requireOwn(context);
  await stopOver(context);
  const told = await guardiansEnded(context, guardians);
  return told === undefined
    ? { done: await stopOffline(context), supervised: false }
    : { done: told, supervised: true };
};

/**
 * Stops all services and the supervisor. Rejects with ERR0205 if the supervisor does not answer, and with
 * ERR0206 if none runs.
 */
export const endAll = async (context: Context): Promise<Ended> => {
  // A guardian of an earlier supervisor may still pause between restarts.
  const guardians = guardiansOf(context.dataDir);
  const client = await connectIfRunning(context.dataDir);
  if (client === undefined) return endWithout(context, guardians);
  const all = [...guardians, ...guardianBy(client.hello)];
  try {
    const first = await ended(context, client);
    const later = await guardiansEnded(context, all);
    return { done: first ?? later ?? (await stopOffline(context)), supervised: true };
  } finally {
    client.close();
  }
};

const endOrderly = async (context: Context): Promise<CommandStatus> => {
  const { done, supervised } = await endAll(context);
  if (!supervised) remark(context, 'no supervisor was running');
  const beside = supervised ? ['the supervisor has ended'] : [];
  printDone(context, done, { command: 'shutdown', beside });
  return EXIT.done;
};

const aliveIn = async (context: Context): Promise<readonly string[]> => {
  const { recordedStatus } = await import('../../../client/manifests/recorded-status.ts');
  const services = servicesIn(recordedStatus(context, {}, undefined).projects);
  return services.filter(({ service }) => service.pid !== null).map(({ id }) => shownName(id));
};

const goingOn = (names: readonly string[]): readonly string[] => {
  const all = names.toSorted();
  if (all.length === 0) return ['no service is running'];
  const go = all.length === 1 ? '1 service goes on' : `${all.length} services go on`;
  return [`${go}: ${listedText(all, MOST_NAMES)}`, 'the next supervisor adopts what runs: sup start'];
};

/**
 * Kills a supervisor that does not answer, and resolves to the exit status of the command. Resolves to
 * `undefined` if no supervisor runs any more.
 */
const endFrozen = async (context: Context): Promise<CommandStatus | undefined> => {
  requireOwn(context);
  const pid = await killFrozen(context.dataDir);
  if (pid === undefined) return undefined;
  const [first = '', ...beside] = goingOn(await aliveIn(context));
  const warnings = [`the supervisor (pid ${pid}) did not answer and was killed`];
  printDone(context, { outcomes: [], warnings }, { command: 'shutdown', none: first, beside });
  return EXIT.done;
};

export const shutdown: Handler = async ({ flags }, context) => {
  try {
    return await endOrderly(context);
  } catch (thrown) {
    const status = flags.has('force') && isSilence(thrown) ? await endFrozen(context) : undefined;
    if (status === undefined) throw thrown;
    return status;
  }
};
