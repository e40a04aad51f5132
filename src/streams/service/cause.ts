// Why a service moved, in a few words for its history.
import type { CommandOutcome, ProbeResult } from '../domain/event.ts';
import { exitText } from '../domain/exit.ts';
import { shownId } from '../domain/ids.ts';
import type { TimerName } from '../domain/watch.ts';
import { errorSentence } from '../views/error-sentence.ts';
import { takenText } from '../views/port-text.ts';
import type { Input } from './input.ts';

const TIMERS: Readonly<Record<TimerName, string>> = {
  stability: 'alive for startup_stability_ms',
  backoff: 'the next attempt is due',
  'stop-timeout': 'stop_timeout is spent',
  'stop-verify': 'stop_verify_secs are spent',
  proven: 'ready for 60 s without interruption',
  'cron-timeout': 'cron.timeout is spent',
};

const probeText = (result: ProbeResult): string => {
  switch (result.tag) {
    case 'passed':
      return 'the health check passed';
    case 'timed-out':
      return 'the health check timed out';
    case 'stranger':
      return `another process answers the health check: ${takenText(result.taken)}`;
    case 'unreachable':
    case 'unhealthy':
      return `the health check failed: ${result.detail}`;
  }
};

const outcomeText = (outcome: CommandOutcome): string =>
  outcome.tag === 'over-budget' ? 'exceeded its budget' : exitText(outcome.status);

/** What happened, as the reader of a history wants it. */
export const causeText = (input: Input): string => {
  switch (input.type) {
    case 'start':
    case 'stop':
    case 'restart':
      return `${input.type} requested`;
    case 'admit':
      return 'what it needs is there';
    case 'hold':
      return 'waits for its turn (max_concurrent)';
    case 'release':
      return 'nobody needs it any more';
    case 'fell':
      return `${input.of.map(shownId).join(', ')} failed`;
    case 'raise':
      return 'what felled it is healthy again';
    case 'pass-over':
      return `${shownId(input.dependency)} was skipped`;
    case 'command-ended':
      return `${input.purpose} ${outcomeText(input.outcome)}`;
    case 'spawned':
      return `pid ${input.process.pid}`;
    case 'spawn-failed':
      return errorSentence(input.error);
    case 'exited':
      return exitText(input.status);
    case 'probed':
      return probeText(input.result);
    case 'elapsed':
      return TIMERS[input.timer];
    case 'surveyed':
      return 'nobody of its tree is left';
    case 'peaked':
      return 'it took more memory';
    case 'rang':
      return 'its time has come';
    case 'clock-stepped':
      return 'the clock was set';
  }
};
