// The second half of an upgrade: the new program starts in the process of the old one and continues with the
// state that was handed over (`docs/reliability.md`, "Upgrade").
import { rmSync } from 'node:fs';
import { readAtOnce } from '../../os/files/own-file.ts';
import { loadSettings } from '../../manifest/settings/load-settings.ts';
import { alarmAfter, clearSignalMask, closeAllOnExec } from '../../os/libc/execute.ts';
import { closeDescriptor } from '../../os/own-descriptors.ts';
import type { Event } from '../../streams/domain/event.ts';
import { type Arrival, type Handover, handoverIn, upgradeText } from '../../streams/upgrade/handover.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { failureOf, resultOf } from '../../streams/wire/messages.ts';
import { PROTOCOL } from '../../streams/wire/protocol.ts';
import { serviceFromStored } from '../../streams/wire/state-files.ts';
import { endCommands } from '../first-event.ts';
import type { RunOptions } from '../supervisor-options.ts';
import { ownProgram } from './program.ts';
import { rememberProgram } from './program-copy.ts';
import type { Deps } from '../deps.ts';

const HANDOVER = '--handover=';
const RESUMED = '--resumed=';

const wordAfter = (argv: readonly string[], name: string): string | undefined =>
  argv.find((word) => word.startsWith(name))?.slice(name.length);

/** Returns the state that was handed over; `undefined` if there is none. Throws if it cannot be read. */
export const arrivalIn = (argv: readonly string[]): Arrival | undefined => {
  const file = wordAfter(argv, HANDOVER);
  if (file === undefined) return undefined;
  const handover = handoverIn(JSON.parse(readAtOnce(file).toString()));
  if (handover === undefined) throw new Error(`${file} cannot be read by this version`);
  const resumed = wordAfter(argv, RESUMED);
  return { handover, ...(resumed !== undefined && { resumed }) };
};

/**
 * Returns the first event after an upgrade. Only the settings are read from files; everything else was handed
 * over.
 */
export const continuedEvent = (
  { dataDir, environment }: RunOptions,
  { handover }: Arrival,
): Extract<Event, { type: 'booted' }> => {
  const { settings, warnings } = loadSettings(layoutOf(dataDir).settings, environment);
  const { services, unbegun = [] } = handover;
  const restored = services.map(serviceFromStored);
  return {
    type: 'booted',
    ...{ settings, warnings, restored, registered: [], found: [] },
    sameBoot: true,
    ...{ continued: true, unbegun },
  };
};

/**
 * Takes over open sockets and the exits that the old program had not processed. Call it in the turn of the
 * first step, because exits would be lost in a later turn.
 */
export const inherit = ({ sockets, notify, processes }: Deps, { handover }: Arrival): void => {
  const { ledger } = processes;
  sockets.inherit(handover.sockets);
  notify.inherit(handover.notifySockets ?? []);
  for (const { process, status } of handover.exits) ledger.record(process, Promise.resolve(status));
  for (const { process, status } of handover.commands) if (status === undefined) void ledger.exitOf(process);
};

interface UpgradeGuard {
  readonly done: () => void;
  /** Call it with the reason before this program ends. `resume.cjs` then executes the old program again. */
  readonly failed: (error: unknown) => void;
}

/** Returns the functions by which this program reports to `resume.cjs`; `undefined` if this is no upgrade. */
const upgradeGuard = (): UpgradeGuard | undefined =>
  Reflect.get(globalThis, Symbol.for('sup.handover')) as UpgradeGuard | undefined;

/**
 * Commits the takeover: from now on a failure does not lead back to the old program, and new processes
 * inherit no descriptors.
 */
export const committed = ({ libc }: Deps): void => {
  upgradeGuard()?.done();
  if (libc !== undefined) closeAllOnExec(libc, 3);
};

/**
 * In an upgrade, reports the error to `resume.cjs`, which executes the old program again when this program
 * ends.
 */
export const handedFailure = (error: unknown): void => upgradeGuard()?.failed(error);

/**
 * Completes the upgrade in the first turn: closes the descriptors that are no longer used, logs the upgrade,
 * and answers the client.
 */
export const completeUpgrade = (deps: Deps, arrival: Arrival): void => {
  const { handover, resumed } = arrival;
  const { libc, options, server, log, events } = deps;
  leftOver(arrival).forEach(closeDescriptor);
  if (libc !== undefined) {
    alarmAfter(libc, 0);
    clearSignalMask(libc);
  }
  const text = upgradeText(handover, resumed);
  log.warn(text);
  events.tell(text, resumed === undefined ? 'supervisor-upgraded' : 'supervisor-resumed');
  const { client, id, warnings = [] } = handover.asked;
  const took = Date.now() - handover.began;
  server.send(
    client,
    resumed === undefined
      ? resultOf(id, { from: handover.from, to: handover.to, took_ms: took, warnings })
      : failureOf(id, errorDocument({ code: 'ERR0503', detail: resumed })),
  );
  rememberProgram(options, ownProgram());
  forgetHandover(options.dataDir);
};

/** Removes the handover file. A program that starts without this file continues from the records. */
export const forgetHandover = (dataDir: string): void => rmSync(layoutOf(dataDir).handover, { force: true });

/**
 * Returns the clients to take over: all of them if the protocol version is the same, otherwise only the
 * client that requested the upgrade.
 */
export const clientsOf = ({ handover: { clients, protocol, asked } }: Arrival): Handover['clients'] =>
  protocol === PROTOCOL ? clients : clients.filter(({ id }) => id === asked.client);

/** Returns the descriptors that are open but no longer used. */
const leftOver = (arrival: Arrival): readonly number[] => {
  const { old, clients } = arrival.handover;
  const admitted = clientsOf(arrival);
  const others = clients.filter((one) => !admitted.includes(one)).map(({ descriptor }) => descriptor);
  return [old.node, ...others];
};

interface Unclaimed {
  readonly book: Deps['book'];
  readonly options: Pick<RunOptions, 'dataDir'>;
  readonly processes: { readonly ledger: Deps['processes']['ledger'] };
}

/**
 * Kills handed-over commands that no watch has continued. Otherwise they would stay in the record of
 * commands, and each upgrade would hand them over again.
 */
export const endUnclaimed = async ({ book, options, processes }: Unclaimed): Promise<void> => {
  const unclaimed = book.left();
  const marks = new Set(unclaimed.map(({ mark }) => `${mark.service}#${mark.run}`));
  await endCommands(options.dataDir, (mark) => marks.has(mark));
  for (const { key } of unclaimed) {
    const ended = book.take(key);
    if (ended === undefined) continue;
    processes.ledger.forget(ended.process);
    if (ended.scratch !== undefined) closeDescriptor(ended.scratch);
  }
};
