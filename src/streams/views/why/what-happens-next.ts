// What happens next to a service, and when. The texts have no subject, because users read them after the word
// `next`.
import { projectId, serviceId, shownId, type ServiceId } from '../../domain/ids.ts';
import { between, instant, lengthText, ms, type Instant } from '../../domain/time.ts';
import type { InspectedService, StateWord } from '../../wire/documents/documents.ts';
import type { WhyService } from '../../wire/documents/why-document.ts';
import { AT_REST } from '../wait-verdict.ts';

type Next = WhyService['next'];

interface NextContext {
  readonly now: Instant;
  /** The root causes of the state, without those that are ready again. */
  readonly roots: readonly InspectedService[];
  readonly supervised: boolean;
}

type DescribeNext = (service: InspectedService, context: NextContext) => Next;

const idOf = ({ project, name }: InspectedService): ServiceId => serviceId(projectId(project), name);

const said = (text: string, at: string | null = null): Next => ({ at, text });
const nothing = (why: string): Next => said(`nothing by itself: ${why}`);

/** Returns the text for a service that stays down until the user starts it. */
const staysDown: DescribeNext = (service) =>
  said(`stays down until you run: sup start ${shownId(idOf(service))}`);

const inTime = (at: string, now: Instant): string =>
  `in ${lengthText(between(now, instant(Date.parse(at))))}`;

const named = (services: readonly InspectedService[]): string =>
  services.map((one) => shownId(idOf(one))).join(', ');

interface Due {
  readonly name: string;
  readonly at: string;
}

/** Returns the services that restart after a backoff, with the times of their restarts, earliest first. */
const dueOf = (services: readonly InspectedService[]): readonly Due[] =>
  services
    .flatMap((one) =>
      one.next_attempt_at === null ? [] : [{ name: shownId(idOf(one)), at: one.next_attempt_at }],
    )
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/**
 * Returns a text with the times of these restarts. It says that this service starts when the restarted
 * services are ready.
 */
const startedAgain = ([first, ...more]: readonly [Due, ...Due[]], now: Instant): string => {
  const all = more.map(({ name, at }) => `, ${name} ${inTime(at, now)}`).join('');
  const ready = more.length === 0 ? 'that is ready' : 'all of them are ready';
  return `${first.name} restarts ${inTime(first.at, now)}${all}; this service starts when ${ready}`;
};

/** Returns the text for a service that starts when its root causes are ready. */
const withRoots: DescribeNext = (service, { roots, now }) => {
  const others = roots.filter((root) => idOf(root) !== idOf(service));
  const stuck = others.filter(({ state }) => AT_REST.has(state));
  if (stuck.length > 0) return nothing(`starts when ${named(stuck)} is started again`);
  const [first, ...more] = dueOf(others);
  const timeless = others.filter(({ next_attempt_at: at }) => at === null);
  const ready = `${named(timeless)} ${timeless.length > 1 ? 'are' : 'is'} ready`;
  if (first !== undefined) {
    const beside = timeless.length === 0 ? '' : ` and ${ready}`;
    return said(`${startedAgain([first, ...more], now)}${beside}`, more.at(-1)?.at ?? first.at);
  }
  return said(timeless.length === 0 ? 'starts by itself' : `starts when ${ready}`);
};

const ofWaiting: DescribeNext = (service, context) =>
  service.because_of.length === 0
    ? said('starts as soon as others are ready or have failed (start/max_concurrent)')
    : withRoots(service, context);

const ofBackoff: DescribeNext = ({ next_attempt_at: at }, { now }) =>
  at === null ? said('restarts') : said(`restarts ${inTime(at, now)}`, at);

const ofScheduled: DescribeNext = ({ next_run_at: at }, { now }) =>
  at === null ? nothing('its schedule has no next run') : said(`runs ${inTime(at, now)}`, at);

const ofStarting: DescribeNext = ({ health_check: check }) => {
  if (check === null) return said('running if it is still up after startup_stability_ms');
  return said(`running when ${check['notify'] ? 'it sends READY=1' : 'its health check passes'}`);
};

/** The error codes of a failed health probe. */
const PROBED: ReadonlySet<string> = new Set(['ERR0022', 'ERR0023', 'ERR0024', 'ERR0104', 'ERR0105']);

type AskedCheck = NonNullable<InspectedService['health_check']>;

const hasLiveness = (check: AskedCheck): boolean => check['liveness_interval_ms'] !== undefined;

/** True if a ready service is probed only by `liveness`, and not by the health check itself. */
const isOnlyLiveness = (check: AskedCheck): boolean =>
  hasLiveness(check) && typeof check['after_ready_ms'] !== 'number';

/**
 * Returns what happens if more probes of a ready service fail. `prefix`: how the keys about the check begin.
 */
const failureText = (check: AskedCheck, prefix: '' | 'liveness_'): string => {
  const onFailure = check[`${prefix}on_failure`];
  if (onFailure === 'ignore') return 'keeps running, whatever its probes say (on_failure: ignore)';
  const total = check[`${prefix}total_timeout_ms`];
  const window = typeof total === 'number' && total > 0 ? ` for ${lengthText(ms(total))}` : '';
  const then =
    onFailure === 'stop' ? 'it is not restarted (on_failure: stop)' : 'then restart_policy decides';
  return `stopped after ${check[`${prefix}retries`] ?? 'too many'} failed probes in a row${window}; ${then}`;
};

const failingText = ({ error, health_check: check }: InspectedService): string | undefined =>
  error === null || check === null || !PROBED.has(error.code)
    ? undefined
    : failureText(check, error.liveness ? 'liveness_' : '');

/** Returns which services the new run of a rollout waits for, in words; `undefined` if it waits for none. */
const candidateText = (roots: NextContext['roots']): string | undefined => {
  if (roots.length === 0) return undefined;
  const stuck = roots.filter(({ state }) => AT_REST.has(state));
  const [others, how] = stuck.length > 0 ? [stuck, 'started again'] : [roots, 'ready'];
  return `keeps running; its new run begins when ${named(others)} ${others.length > 1 ? 'are' : 'is'} ${how}`;
};

const livenessText = (check: AskedCheck): string =>
  hasLiveness(check)
    ? `; liveness asks it every ${lengthText(ms(Number(check['liveness_interval_ms'])))}`
    : '';

/** Returns how often a ready service is probed, if that differs from `interval`; otherwise an empty text. */
const probedText = ({ health_check: check }: InspectedService): string => {
  if (check === null) return '';
  const { after_ready_ms: pause, interval_ms: interval } = check;
  if (isOnlyLiveness(check) || pause === undefined || pause === interval) return livenessText(check);
  return pause === 'off'
    ? '; its health is no longer checked (after_ready: off)'
    : `; its health is checked every ${lengthText(ms(Number(pause)))} (after_ready)${livenessText(check)}`;
};

/** Returns a text about a failed rollout or a rollback: how the service continues. */
const deployText = ({ deploy, error }: InspectedService): string | undefined => {
  if (!deploy.failed)
    return deploy.rolled_back
      ? 'keeps running as the rollback left it; sup apply applies its manifest again'
      : undefined;
  return error?.code === 'ERR0116'
    ? 'keeps running, but where its traffic goes is unknown; sup restart rolls out and switches again'
    : 'keeps running with the declaration from before the failed rollout; sup apply tries the new one again';
};

const ofRunning: DescribeNext = (service, { roots }) =>
  said(
    failingText(service) ??
      candidateText(roots) ??
      deployText(service) ??
      `${service.awaits_restart ? 'keeps running; sup apply applies what has changed' : 'nothing, it is running'}${probedText(service)}`,
  );

const ofStopping: DescribeNext = ({ wanted }) =>
  said(
    wanted === 'up'
      ? 'restart_policy decides when all its processes are gone'
      : 'stopped when all its processes are gone',
  );

const NEXT_BY_STATE: Readonly<Record<StateWord, DescribeNext>> = {
  scheduled: ofScheduled,
  waiting: ofWaiting,
  starting: ofStarting,
  running: ofRunning,
  backoff: ofBackoff,
  stopping: ofStopping,
  stopped: staysDown,
  done: () => nothing('it has finished'),
  failed: staysDown,
  'breaker-open': staysDown,
  casualty: withRoots,
  skipped: () => nothing('it is skipped'),
  lost: staysDown,
};

/** Returns what happens next to the service, and when. Without a supervisor nothing happens. */
export const nextOf: DescribeNext = (service, context) =>
  context.supervised
    ? NEXT_BY_STATE[service.state](service, context)
    : nothing('no supervisor is running; start one with: sup start');
