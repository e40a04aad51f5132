// The views of `sup status --watch`, and what they may request.
import type { Command } from '../../streams/domain/command.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Instant } from '../../streams/domain/time.ts';
import type { WhyDocument } from '../../streams/wire/documents/why-document.ts';
import type { Hello, SamplesAnswer, View } from '../../streams/wire/protocol.ts';
import type { ClientFailure } from '../client/client-failure.ts';
import type { Context } from '../context.ts';
import { printDocument, printWarnings } from '../print.ts';

export interface Viewer {
  readonly see: (view: View) => void;
  /** The supervisor is gone, and the view waits for it. */
  readonly lost: (failed: ClientFailure) => void;
  /** A supervisor was found, for the first time or again. */
  readonly found: (hello: Hello) => void;
  /** Another program runs in its process, or the same one again. */
  readonly upgraded: (hello: Hello) => void;
  readonly end: () => void;
}

export interface Session {
  /** Ends the view, with an error if something went wrong. */
  readonly quit: (failed?: Error) => void;
  readonly carryOut: (command: Command) => Promise<unknown>;
  /** Returns the samples in memory since that moment. */
  readonly samples: (since: Instant) => Promise<SamplesAnswer>;
  readonly explain: (service: ServiceId) => Promise<WhyDocument>;
  /** True if every service is watched. */
  readonly isWhole: boolean;
}

const lostText = ({ document }: ClientFailure): string =>
  `${document.code} ${document.message}; waiting for the supervisor`;

const foundText = ({ pid }: Hello): string => `connected again, supervisor pid ${pid}`;

/** Returns a note; after a failed upgrade the old program says why it goes on. */
export const upgradedText = ({ version, pid, resumed }: Hello): string =>
  resumed ?? `the supervisor was upgraded: it is sup ${version} now, pid ${pid} as before`;

/** Reports a supervisor that is found again, but not the first one. */
const onlyAgain = (say: (text: string) => void): Viewer['found'] => {
  let times = 0;
  return (hello) => {
    times += 1;
    if (times > 1) say(foundText(hello));
  };
};

/** Prints one document a line; other messages go to standard error. */
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
