// The other half of an upgrade: a program that begins in the process of another one, and goes on with what that has handed
// over (`docs/reliability.md`, "Upgrade").
import { rmSync } from 'node:fs';
import { readAtOnce } from '../../os/files/own-file.ts';
import { loadSettings } from '../../manifest/settings/settings.ts';
import { alarmAfter, clearSignalMask, closeAllOnExec } from '../../os/libc/exec.ts';
import { closeDescriptor } from '../../os/handles.ts';
import type { Event } from '../../streams/domain/event.ts';
import { handoverIn, type Arrival, type Handover } from '../../streams/upgrade/handover.ts';
import { upgradeText } from '../../streams/upgrade/told.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { failureOf, resultOf } from '../../streams/wire/messages.ts';
import { PROTOCOL } from '../../streams/wire/protocol.ts';
import { endCommands } from '../end-commands.ts';
import type { Companions } from '../companions.ts';
import type { Place } from '../options.ts';
import type { Parts } from '../parts.ts';
import { ownProgram } from './program.ts';
import { rememberProgram } from './successor.ts';

const HANDOVER = '--handover=';
const RESUMED = '--resumed=';

const wordAfter = (argv: readonly string[], name: string): string | undefined =>
  argv.find((word) => word.startsWith(name))?.slice(name.length);

/** `undefined`: it begins in a process of its own. Throws what cannot be read. */
export const arrivalIn = (argv: readonly string[]): Arrival | undefined => {
  const file = wordAfter(argv, HANDOVER);
  if (file === undefined) return undefined;
  const handover = handoverIn(JSON.parse(readAtOnce(file).toString()));
  if (handover === undefined) throw new Error(`${file} cannot be read by this version`);
  const resumed = wordAfter(argv, RESUMED);
  return { handover, ...(resumed !== undefined && { resumed }) };
};

/** Nothing is looked for, and no record is read: all of it was handed over, as it was tried before. */
export const continuedEvent = (
  { dataDir, environment }: Place,
  { handover }: Arrival,
): Extract<Event, { type: 'booted' }> => {
  const { settings, warnings } = loadSettings(layoutOf(dataDir).settings, environment);
  const { services: restored, unbegun = [] } = handover;
  return {
    type: 'booted',
    ...{ settings, warnings, restored, registered: [], found: [] },
    sameBoot: true,
    ...{ continued: true, unbegun },
  };
};

/** In the turn of the first step: what the sources will ask for, and whose ends would else be nobody's. */
export const inherit = ({ sockets, processes }: Parts, { handover }: Arrival): void => {
  const { ledger } = processes;
  sockets.inherit(handover.sockets);
  for (const { process, status } of handover.exits) ledger.record(process, Promise.resolve(status));
  for (const { process, status } of handover.commands) if (status === undefined) void ledger.exitOf(process);
};

interface Watchman {
  readonly done: () => void;
  /** Before this program ends: why. */
  readonly failed: (error: unknown) => void;
}

/** Who would execute the old program again, if this one ended now. */
const watchman = (): Watchman | undefined =>
  Reflect.get(globalThis, Symbol.for('sup.handover')) as Watchman | undefined;

/** From here on an error is one of this program's own, and nobody whom it starts has what was handed over. */
export const committed = ({ libc }: Parts): void => {
  watchman()?.done();
  if (libc !== undefined) closeAllOnExec(libc, 3);
};

/** Tells the old program, which is executed again, why. Where nothing was handed over there is nobody to tell. */
export const handedFailure = (error: unknown): void => watchman()?.failed(error);

/** After the first step, in the same turn: nothing of the old program is left, and who asked is answered. */
export const settle = (parts: Parts, { events }: Companions, arrival: Arrival): void => {
  const { handover, resumed } = arrival;
  const { libc, options, server, log } = parts;
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

/** It was taken over, or nobody came to: whoever begins without it goes by what is on record. */
export const forgetHandover = (dataDir: string): void => rmSync(layoutOf(dataDir).handover, { force: true });

/** Whoever is not to be spoken to in the words of another protocol dials again; who asked is answered in words of its own. */
export const clientsOf = ({ handover: { clients, protocol, asked } }: Arrival): Handover['clients'] =>
  protocol === PROTOCOL ? clients : clients.filter(({ id }) => id === asked.client);

/** Open still, and nobody's any more. */
const leftOver = (arrival: Arrival): readonly number[] => {
  const { surplus, old, clients } = arrival.handover;
  const admitted = clientsOf(arrival);
  const others = clients.filter((one) => !admitted.includes(one)).map(({ descriptor }) => descriptor);
  return [...surplus, old.node, ...others];
};

interface Unclaimed {
  readonly book: Parts['book'];
  readonly options: Pick<Place, 'dataDir'>;
  readonly processes: { readonly ledger: Parts['processes']['ledger'] };
}

/** Commands whose services do not ask for them any more. Until they have ended they are handed on. */
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
