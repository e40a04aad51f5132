// A supervisor with manifests as arguments (`docs/boot.md`, "In a container") starts their services itself,
// prints their output, and exits with the status of an essential service.
import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import type { EndReason } from '../streams/domain/effect.ts';
import type { Event } from '../streams/domain/event.ts';
import { requestId, NO_CLIENT } from '../streams/domain/ids.ts';
import { INITIAL_STATE, type SupervisorState } from '../streams/kernel/state.ts';
import { EXIT, type CommandStatus } from '../streams/wire/command-exit-status.ts';
import { queuedBytes } from '../os/own-descriptors.ts';
import { profilesIn } from '../os/choose-data-directory.ts';
import { consoleOutput, type Console, type ConsoleWriter } from './followers/console.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { type ShownOutput, shownIn } from '../streams/upgrade/handover.ts';
import { isReExecuted } from './upgrade/program.ts';
import { handedState } from '../streams/upgrade/handover.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { readAtOnce } from '../os/files/own-file.ts';

type StartOptions = Pick<SupervisorOptions, 'manifests' | 'environment' | 'console' | 'dataDir' | 'arrival'>;

/**
 * Returns the state with which the loop begins. After an upgrade it contains what the old program handed
 * over.
 */
export const stateFor = ({ manifests, arrival }: StartOptions): SupervisorState => ({
  ...INITIAL_STATE,
  ...(manifests.length > 0 && { bound: true }),
  ...(arrival && handedState(arrival.handover.taken)),
});

/** Returns a start request for each given manifest. The replies go to no client; failures are logged. */
export const startsOf = ({ manifests, environment }: StartOptions): readonly Event[] => {
  const profiles = profilesIn(environment);
  return manifests.map((manifest) => ({
    type: 'requested',
    request: requestId(`${NO_CLIENT}${manifest}`),
    command: { type: 'start', selection: { manifest }, ...(profiles && { reading: { profiles } }) },
  }));
};

const screenOn = (stdout: NodeJS.WriteStream): ConsoleWriter => {
  let last: Buffer = Buffer.alloc(0);
  return {
    write: (text) => {
      last = text;
      return new Promise((written, failed) => {
        stdout.write(text, (error) => (error ? failed(error) : written()));
      });
    },
    unwritten: () => last.subarray(Math.max(0, last.length - queuedBytes(stdout))),
  };
};

/** Returns the record of what this program had printed before it re-executed itself, if there is one. */
const shownBefore = (dataDir: string): ShownOutput | undefined => {
  if (!isReExecuted()) return undefined;
  const { shown } = layoutOf(dataDir);
  try {
    const text = readAtOnce(shown).toString();
    rmSync(shown);
    return shownIn(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** Returns the console output; `undefined` if nothing is printed. */
export const consoleFor = async (
  { dataDir, console: style, arrival }: StartOptions,
  stdout: NodeJS.WriteStream,
): Promise<Console | undefined> => {
  if (style === undefined) return undefined;
  const before = arrival?.handover.shown ?? shownBefore(dataDir);
  return consoleOutput({ dataDir, style, before, screen: screenOn(stdout) });
};

const signalNumbers: Readonly<Record<string, number>> = constants.signals;

/** Returns the exit status of the supervisor, as a shell reports it: 128 + n after signal n. */
export const lastStatus = (endReason: EndReason | undefined): CommandStatus => {
  if (endReason === undefined) return EXIT.done;
  const exit = endReason.tag === 'ended' ? endReason.exit : undefined;
  if (exit?.tag === 'code') return exit.code;
  const signal = exit?.tag === 'signal' ? signalNumbers[exit.signal] : undefined;
  return signal === undefined ? EXIT.failed : 128 + signal;
};
