// What happens next to a service, and when: by itself, or not at all.
import { projectId, serviceId, shownId, type ServiceId } from '../../domain/ids.ts';
import { between, instant, ms, type Instant } from '../../domain/time.ts';
import type { InspectedService, StateWord } from '../../wire/documents/documents.ts';
import type { WhyService } from '../../wire/documents/why-document.ts';
import { AT_REST } from '../wait.ts';
import { lengthText } from '../words/length-text.ts';

type Next = WhyService['next'];

interface NextContext {
  readonly now: Instant;
  /** Where its chain ends, without those who are there again. */
  readonly roots: readonly InspectedService[];
  readonly supervised: boolean;
}

type Told = (service: InspectedService, context: NextContext) => Next;

const idOf = ({ project, name }: InspectedService): ServiceId => serviceId(projectId(project), name);

const said = (text: string, at: string | null = null): Next => ({ at, text });
const nothing = (until: string): Next => said(`nothing by itself: ${until}`);

const inTime = (at: string, now: Instant): string =>
  `in ${lengthText(between(now, instant(Date.parse(at))))}`;

const named = (services: readonly InspectedService[]): string =>
  services.map((one) => shownId(idOf(one))).join(', ');

interface Due {
  readonly name: string;
  readonly at: string;
}

/** Who is started again, the first of them first. */
const dueOf = (services: readonly InspectedService[]): readonly Due[] =>
  services
    .flatMap((one) =>
      one.next_attempt_at === null ? [] : [{ name: shownId(idOf(one)), at: one.next_attempt_at }],
    )
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));

/** Each with its time: it comes with the last of them. */
const startedAgain = ([first, ...more]: readonly [Due, ...Due[]], now: Instant): string => {
  const all = more.map(({ name, at }) => `, ${name} ${inTime(at, now)}`).join('');
  const well = more.length === 0 ? 'that is well' : 'all of them are well';
  return `${first.name} is started again ${inTime(first.at, now)}${all}; it comes once ${well}`;
};

/** It comes when those come to whom its state is due. */
const withRoots: Told = (service, { roots, now }) => {
  const others = roots.filter((root) => idOf(root) !== idOf(service));
  const stuck = others.filter(({ state }) => AT_REST.has(state));
  if (stuck.length > 0) return nothing(`it comes once ${named(stuck)} is brought back`);
  const [first, ...more] = dueOf(others);
  const timeless = others.filter(({ next_attempt_at: at }) => at === null);
  const there = `${named(timeless)} is there`;
  if (first !== undefined) {
    const beside = timeless.length === 0 ? '' : ` and ${there}`;
    return said(`${startedAgain([first, ...more], now)}${beside}`, more.at(-1)?.at ?? first.at);
  }
  return said(timeless.length === 0 ? 'it comes by itself' : `it comes once ${there}`);
};

const ofWaiting: Told = (service, context) =>
  service.because_of.length === 0
    ? said('it starts as soon as others are ready or have failed (start/max_concurrent)')
    : withRoots(service, context);

const ofBackoff: Told = ({ next_attempt_at: at }, { now }) =>
  at === null ? said('it is started again') : said(`it is started again ${inTime(at, now)}`, at);

const ofScheduled: Told = ({ next_run_at: at }, { now }) =>
  at === null ? nothing('its schedule has no next run') : said(`it runs ${inTime(at, now)}`, at);

const ofStarting: Told = ({ health_check: check }) =>
  said(
    check === null
      ? 'it is called running once it has survived its first moments'
      : 'it is called running once its health check passes',
  );

/** What a probe that fails says. */
const PROBED: ReadonlySet<string> = new Set(['ERR0022', 'ERR0023', 'ERR0104', 'ERR0105']);

/** How much more it takes until it is stopped; `undefined`: its probes pass. */
const failingText = ({ error, health_check: check }: InspectedService): string | undefined => {
  if (error === null || check === null || !PROBED.has(error.code)) return undefined;
  const { retries, total_timeout_ms: total } = check;
  const window = typeof total === 'number' && total > 0 ? ` for ${lengthText(ms(total))}` : '';
  return `it is stopped once ${retries ?? 'so many'} probes in a row have failed${window}, and its policy decides what follows`;
};

/** Its candidate waits for these; `undefined`: for nobody. */
const candidateText = (roots: NextContext['roots']): string | undefined => {
  if (roots.length === 0) return undefined;
  const stuck = roots.filter(({ state }) => AT_REST.has(state));
  const [others, how] = stuck.length > 0 ? [stuck, 'brought back'] : [roots, 'there'];
  return `it goes on; its new run begins once ${named(others)} is ${how}`;
};

/** How often its health check is made; empty if it has none, or has it every `interval`. */
const probedText = ({ health_check: check }: InspectedService): string => {
  const { after_ready_ms: pause, interval_ms: interval } = check ?? {};
  if (pause === undefined || pause === interval) return '';
  return pause === 'off'
    ? '; its health is not checked any more (after_ready: off)'
    : `; its health is checked every ${lengthText(ms(Number(pause)))} (after_ready)`;
};

/** What a rollout that failed leaves to do; `undefined`: nothing. */
const deployText = ({ deploy, error }: InspectedService): string | undefined => {
  if (!deploy.failed)
    return deploy.rolled_back
      ? 'it goes on as a rollback has left it; sup apply takes up its manifest again'
      : undefined;
  return error?.code === 'ERR0116'
    ? 'it goes on, and nobody knows where its traffic goes; sup restart rolls out and switches once more'
    : 'it goes on as it was declared before the rollout that failed; sup apply tries the newer declaration again';
};

const ofRunning: Told = (service, { roots }) =>
  said(
    failingText(service) ??
      candidateText(roots) ??
      deployText(service) ??
      `${service.awaits_restart ? 'it goes on; sup apply takes up what has changed' : 'it goes on'}${probedText(service)}`,
  );

const ofStopping: Told = ({ wanted }) =>
  said(
    wanted === 'up'
      ? 'once all of it is gone, its policy decides what becomes of it'
      : 'it is over once all of it is gone',
  );

const TOLD: Readonly<Record<StateWord, Told>> = {
  scheduled: ofScheduled,
  waiting: ofWaiting,
  starting: ofStarting,
  running: ofRunning,
  backoff: ofBackoff,
  stopping: ofStopping,
  stopped: () => nothing('it starts when it is asked to'),
  done: () => nothing('it has done what it was for'),
  failed: () => nothing('only a person starts it again'),
  'breaker-open': () => nothing('it has failed too often, and only a person starts it again'),
  casualty: withRoots,
  skipped: () => nothing('what skips it would have to change'),
  lost: () => nothing('nobody knows how it ended, and only a person starts it again'),
};

/** Without a supervisor nobody does anything. */
export const nextOf: Told = (service, context) =>
  context.supervised
    ? TOLD[service.state](service, context)
    : nothing('no supervisor is running, and sup start begins one');
