// Every public state on real processes: how a service gets there, and how its obstacle is taken away again.
import type { StateWord } from '../../../src/streams/wire/documents/documents.ts';
import { script, shell, steady, type Declared } from '../support/recipes.ts';

export interface Stand {
  readonly state: StateWord;
  /** The service, and what it needs; `go` in the work directory takes its obstacle away. */
  readonly service: (name: string) => Readonly<Record<string, Declared>>;
  /** What has to be done beside the start. */
  readonly prepare?: 'stop' | 'begin-stop' | 'fell';
  /** What becomes of it, once the obstacle is gone, after each command; stopped after a stop unless told. */
  readonly after: { readonly start: StateWord; readonly restart: StateWord; readonly stop?: StateWord };
}

const GATED = { deployment: { pre_start: 'while [ ! -e go ]; do sleep 0.05; done' } };
const RUNS = { start: 'running', restart: 'running' } as const;

export const STANDS: readonly Stand[] = [
  { state: 'running', service: (name) => ({ [name]: steady() }), after: RUNS },
  { state: 'stopped', service: (name) => ({ [name]: steady() }), prepare: 'stop', after: RUNS },
  { state: 'starting', service: (name) => ({ [name]: steady(GATED) }), after: RUNS },
  {
    state: 'waiting',
    service: (name) => ({ [`${name}-db`]: steady(GATED), [name]: steady({ depends_on: [`${name}-db`] }) }),
    after: RUNS,
  },
  {
    state: 'stopping',
    service: (name) => ({
      [name]: shell(
        `trap "asked=yes" TERM; touch up-${name}; until [ "$asked" = yes ] && [ -e go ]; do sleep 0.05; done`,
        { stop_timeout: '1m' },
      ),
    }),
    prepare: 'begin-stop',
    after: RUNS,
  },
  {
    state: 'backoff',
    service: (name) => ({ [name]: script('flaky.sh', [`starts-${name}`, '1'], { backoff: '10m' }) }),
    after: RUNS,
  },
  {
    state: 'breaker-open',
    service: (name) => ({ [name]: script('flaky.sh', [`starts-${name}`, '1'], { max_restarts: 0 }) }),
    after: RUNS,
  },
  {
    state: 'failed',
    service: (name) => ({ [name]: script('flaky.sh', [`starts-${name}`, '1'], { restart_policy: 'never' }) }),
    after: RUNS,
  },
  {
    state: 'casualty',
    service: (name) => ({
      [`${name}-db`]: script('until-told.sh', [`end-${name}`], {
        backoff: 0,
        deployment: { pre_start: '[ ! -e fallen ] || while [ ! -e go ]; do sleep 0.05; done' },
      }),
      [name]: steady({ depends_on: [`${name}-db`] }),
    }),
    prepare: 'fell',
    after: RUNS,
  },
  {
    state: 'done',
    service: (name) => ({ [name]: shell('true', { restart_policy: 'never' }) }),
    after: { start: 'done', restart: 'done', stop: 'stopped' },
  },
  {
    state: 'skipped',
    service: (name) => ({ [name]: steady({ skip: true }) }),
    after: RUNS,
  },
  {
    state: 'scheduled',
    service: (name) => ({ [name]: shell('true', { cron: { expression: '0 0 0 1 1 *' } }) }),
    after: { start: 'scheduled', restart: 'scheduled' },
  },
];
