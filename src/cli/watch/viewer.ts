// Who shows the live view, and what may be asked for from within it.
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
  /** The supervisor is gone, and is waited for. */
  readonly lost: (failed: ClientFailure) => void;
  /** There is one, for the first time or again. */
  readonly found: (hello: Hello) => void;
  /** Another program is at work in its process, or the same one again. */
  readonly upgraded: (hello: Hello) => void;
  readonly end: () => void;
}

export interface Session {
  /** Seen enough; with what went wrong, if something did. */
  readonly quit: (failed?: Error) => void;
  readonly carryOut: (command: Command) => Promise<unknown>;
  /** What is in memory since that moment. */
  readonly samples: (since: Instant) => Promise<SamplesAnswer>;
  readonly explain: (service: ServiceId) => Promise<WhyDocument>;
  /** Every service is watched. */
  readonly isWhole: boolean;
}

const lostText = ({ document }: ClientFailure): string =>
  `${document.code} ${document.message}; waiting for the supervisor`;

const foundText = ({ pid }: Hello): string => `connected again, supervisor pid ${pid}`;

/** The old one says why it goes on. */
export const upgradedText = ({ version, pid, resumed }: Hello): string =>
  resumed ?? `the supervisor was upgraded: it is sup ${version} now, pid ${pid} as before`;

/** What to say when a supervisor is found again, and nothing the first time. */
const onlyAgain = (say: (text: string) => void): Viewer['found'] => {
  let times = 0;
  return (hello) => {
    times += 1;
    if (times > 1) say(foundText(hello));
  };
};

/** One document a line; what is not part of the view is said aside. */
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
