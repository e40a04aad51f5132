// The two forms of `sup status --watch`, full-screen and documents, and what they may request from the
// command.
import type { Command } from '../../streams/domain/command.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Instant } from '../../streams/domain/time.ts';
import type { WhyDocument } from '../../streams/wire/documents/why-document.ts';
import type { Hello, SamplesAnswer, View } from '../../streams/wire/protocol.ts';
import type { ClientFailure } from '../../client/client-failure.ts';
import type { Context } from '../context.ts';
import { printDocument, printWarnings } from '../print.ts';

export interface Viewer {
  readonly see: (view: View) => void;
  /** Called when the connection has ended; the command then waits for another supervisor. */
  readonly lost: (failed: ClientFailure) => void;
  /** Called for each supervisor that is found: the first one, and after each loss. */
  readonly found: (hello: Hello) => void;
  /** Called when the supervisor's process has executed a new program, or the same one again. */
  readonly upgraded: (hello: Hello) => void;
  readonly end: () => void;
}

export interface Session {
  /** Ends the view. `failed`: the error that the command then reports. */
  readonly quit: (failed?: Error) => void;
  readonly carryOut: (command: Command) => Promise<unknown>;
  /** Requests the samples in the supervisor's memory since this time. */
  readonly samples: (since: Instant) => Promise<SamplesAnswer>;
  readonly explain: (service: ServiceId) => Promise<WhyDocument>;
  /** True if all services are watched, not only a selection. */
  readonly isWhole: boolean;
  /** True if the instances of services with `replicas` are first listed one by one. */
  readonly unfolded: boolean;
}

const lostText = ({ document }: ClientFailure): string =>
  `${document.code} ${document.message}; waiting for the supervisor`;

const foundText = ({ pid }: Hello): string => `connected again, supervisor pid ${pid}`;

/** Returns a sentence about the upgrade. A failed one was explained by the old program. */
export const upgradedText = ({ version, pid, resumed }: Hello): string =>
  resumed ?? `the supervisor was upgraded: it is sup ${version} now, pid ${pid} as before`;

/** Returns a listener that reports every supervisor that is found, except the first. */
const onlyAgain = (say: (text: string) => void): Viewer['found'] => {
  let times = 0;
  return (hello) => {
    times += 1;
    if (times > 1) say(foundText(hello));
  };
};

/** Prints each view as a JSON document, one per line; other messages go to standard error. */
export const asDocuments = (context: Context): Viewer => {
  const aside = (text: string): void => printWarnings(context, [text]);
  return {
    see: (view) => printDocument(context, { schema: 'sup.view/1', ...view }),
    lost: (failed) => aside(lostText(failed)),
    found: onlyAgain(aside),
    upgraded: (hello) => aside(upgradedText(hello)),
    end: () => undefined,
  };
};
