// Makes texts about the causes of state changes, and about the ends of children.
import { checkText, errorSentence } from '../../domain/errors/error-sentence.ts';
import { shownId, type ServiceId } from '../../domain/ids.ts';
import type { CauseFacts } from '../../domain/service/history-facts.ts';
import type { PastChild } from '../../domain/service/child.ts';
import { type ExitStatus, exitText } from '../../domain/service/exit-status.ts';
import { takenText } from '../../domain/service/port.ts';
import type { Transition } from '../../domain/service/service.ts';
import type { TimerName } from '../../domain/watch.ts';

const TIMERS: Readonly<Record<TimerName, string>> = {
  stability: 'stayed up for startup_stability_ms',
  backoff: 'the next attempt is due',
  'stop-timeout': 'stop_timeout is spent',
  'stop-verify': 'stop_verify_secs are spent',
  changed: 'a watched file changed',
  memory: 'over max_memory for max_memory_for',
  proven: 'ready for 60 s without interruption',
  'cron-timeout': 'cron.timeout is spent',
  'ready-timeout': 'total_timeout is spent',
  grace: 'grace_period is spent',
  ttl: '--ttl is spent',
};

/** The texts for causes of state changes that need no facts. */
const PLAIN: Readonly<Record<string, string>> = {
  start: 'start requested',
  stop: 'stop requested',
  restart: 'restart requested',
  admit: 'dependencies are ready',
  hold: 'waits for its turn (max_concurrent)',
  release: 'stop requested',
  raise: 'its dependencies are healthy again',
  surveyed: 'all its processes are gone',
  peaked: 'it took more memory',
  'children-gone': 'the last of its children is gone',
  notified: 'its READY=1 came',
  rang: 'its time has come',
  'clock-stepped': 'the clock was set',
};

const commandText = (purpose: string, status: ExitStatus | undefined): string =>
  `${purpose === 'stop' ? 'stop_command' : purpose} ${status === undefined ? 'exceeded its budget' : exitText(status)}`;

const probeText = (probe: Extract<CauseFacts, { probe: string }>): string => {
  switch (probe.probe) {
    case 'passed':
      return `the ${checkText(probe)} passed`;
    case 'timed-out':
      return `the ${checkText(probe)} timed out`;
    case 'silent':
      return 'no WATCHDOG=1 came in time';
    case 'stranger':
      return `another process answers the ${checkText(probe)}: ${takenText(probe.taken)}`;
    case 'unreachable':
    case 'unhealthy':
      return `the ${checkText(probe)} failed: ${probe.detail ?? 'no answer'}`;
  }
};

const withoutText = (ids: readonly ServiceId[]): string =>
  `starts without ${ids.map(shownId).join(', ')}, which ${ids.length === 1 ? 'is' : 'are'} not required`;

type OfDependencies = Extract<CauseFacts, { of: unknown } | { without: unknown } | { dependency: unknown }>;

const isOfDependencies = (facts: CauseFacts): facts is OfDependencies =>
  'of' in facts || 'without' in facts || 'dependency' in facts;

const dependencyText = (facts: OfDependencies): string => {
  if ('of' in facts) return `${facts.of.map(shownId).join(', ')} failed`;
  return 'without' in facts ? withoutText(facts.without) : `${shownId(facts.dependency)} was skipped`;
};

const factsText = (facts: CauseFacts): string => {
  if (isOfDependencies(facts)) return dependencyText(facts);
  if ('purpose' in facts) return commandText(facts.purpose, facts.status);
  if ('pid' in facts) return `pid ${facts.pid}`;
  if ('error' in facts) return errorSentence(facts.error);
  if ('probe' in facts) return probeText(facts);
  return 'timer' in facts ? TIMERS[facts.timer] : exitText(facts.status);
};

/** Returns the origin of a command as the end of a sentence: ` by mcp (claude)`; empty for the CLI. */
export const byText = (origin: string | undefined): string => {
  if (origin === undefined) return '';
  return origin === 'dashboard' ? ' by the dashboard' : ` by ${origin}`;
};

/** Returns the cause of a state change in words; `null` if an old state file has no facts for it. */
export const causeText = ({
  from,
  cause,
  facts,
  by,
}: Pick<Transition, 'from' | 'cause' | 'facts' | 'by'>): string | null => {
  if (from === 'down' && cause === 'raise') return 'what it was skipped with is skipped no longer';
  if (facts !== undefined) return factsText(facts);
  const text = PLAIN[cause];
  return text === undefined ? null : `${text}${byText(by)}`;
};

const ENDINGS: Readonly<Record<NonNullable<PastChild['ending']>, string>> = {
  stopped: 'stopped with its service',
  parent: 'ended with its parent',
  ttl: 'stopped: its --ttl was spent',
  memory: 'stopped: the tree was over spawn.limits.total_memory, and it was the newest',
};

/** Returns why a child ended: the reason why the supervisor stopped it, or else its error or exit status. */
export const childEndText = ({ ending, exit, error }: PastChild): string => {
  if (ending !== undefined) return ENDINGS[ending];
  return error === undefined ? exitText(exit ?? { tag: 'unknown' }) : errorSentence(error);
};
