// The reason for the state `stopping`: the cause of the stop, its progress, and the living processes.
import { exitText } from '../../domain/service/exit-status.ts';
import { nameOf } from '../../domain/ids.ts';
import type { In, ServiceOrRun } from '../../domain/service/service.ts';
import { between, lengthText, plus, type Instant } from '../../domain/time.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';
import { listedText } from '../../domain/listed-text.ts';

interface Stopping {
  readonly service: ServiceOrRun;
  readonly state: In<'stopping'>;
  readonly now: Instant;
}

/** Returns the cause and the progress of the stop, in words. */
export const stoppingReason = (stopping: Stopping): string =>
  `${causeText(stopping)}; ${phaseText(stopping)}`;

const askedText = ({ leaving, resume }: ServiceOrRun): string => {
  if (leaving === true) return 'stops: it is not declared any more';
  return resume === true ? 'stops with the supervisor' : 'stop requested';
};

const causeText = ({ service, state: { cause, exit } }: Stopping): string => {
  switch (cause.tag) {
    case 'asked':
      return askedText(service);
    case 'restart':
      return 'restart requested';
    case 'felled':
      return `fell with ${cause.of.map(nameOf).join(', ')}`;
    case 'exited':
      return exit === undefined ? 'ended' : exitText(exit);
    case 'unhealthy':
    case 'timeout':
      return errorSentence(cause.error);
  }
};

/** Returns the progress of the stop if no living process is known; otherwise `undefined`. */
const noProcessText = ({ asked, survivors: left }: In<'stopping'>): string | undefined => {
  if (left === undefined) return asked.length === 0 ? 'checking for remaining processes' : undefined;
  return left.length === 0 ? 'all its processes are gone' : undefined;
};

const killText = ({ service: { spec }, state, now }: Stopping): string =>
  `SIGKILL in ${lengthText(between(now, plus(state.phaseSince, spec.stopTimeout)))}`;

const phaseText = (stopping: Stopping): string => {
  const { service, state } = stopping;
  const who = survivors(stopping);
  if (state.commanded === true) return `its stop_command runs, ${killText(stopping)}`;
  switch (state.phase) {
    case 'asking':
      return noProcessText(state) ?? `${service.spec.stopSignal} sent to ${who}, ${killText(stopping)}`;
    case 'killing':
      return `SIGKILL sent to ${who}`;
    case 'unverified':
      return `alive after SIGKILL: ${who} (ERR0112)`;
  }
};

/** The maximum number of pids that a text names. If there are more, the text says only how many. */
const MOST_PIDS = 5;

const survivors = ({ state }: Stopping): string => {
  const pids = (state.survivors ?? [state.process]).map(({ pid }) => pid);
  if (pids.length === 0) return 'all of it';
  return `pid ${listedText(pids, MOST_PIDS)}`;
};
