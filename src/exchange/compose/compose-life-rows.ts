// Table rows that translate the Compose keys about start, restart and stop to keys of `sup`, and back.
import { type ComposeService, shellLineOf } from './compose-service.ts';
import { type ComposeRow, type ComposeTarget, ifPresent, shellWords } from './compose-target.ts';
import { durationMs, durationTo } from './compose-values.ts';
import {
  isList,
  ownValue,
  remarks,
  isPlainMap,
  unneeded,
  type Plain,
  type Translation,
} from '../key-table.ts';
import { literalText, durationText } from '../manifest-text.ts';
import {
  textOf,
  textsOf,
  shownValue,
  isTrue,
  numberOf,
  signalName,
  translated,
  numberTo,
} from '../source-values.ts';

const ownOf = (name: string, { services }: ComposeService): Readonly<Record<string, Plain>> => {
  const value = ownValue(services, name);
  return isPlainMap(value) ? value : {};
};

/**
 * True if the Compose file gives the service a health check. A health check that is only in the image cannot
 * be seen.
 */
export const hasCheck = (own: Readonly<Record<string, Plain>>): boolean => {
  const check = own['healthcheck'];
  if (!isPlainMap(check) || isTrue(check['disable'])) return false;
  const [first] = textsOf(check['test']);
  return first !== undefined && first !== 'NONE';
};

/** Returns the restart policy of a service: the policy in `deploy`, or else the value of `restart`. */
const policyOf = (own: Readonly<Record<string, Plain>>): string => {
  const deploy = isPlainMap(own['deploy']) ? own['deploy']['restart_policy'] : undefined;
  if (isPlainMap(deploy)) return textOf(deploy['condition'] ?? 'any');
  return textOf(own['restart'] ?? 'no');
};

interface Dependency {
  readonly keys: Plain;
  readonly note?: string;
}

const CONDITION_NOTES = {
  started: (name: string) => `sup waits until ${name} is healthy, not only until it has started`,
  healthy: (name: string) =>
    `${name} has no health check here: that of its image is not known, so sup waits until it runs`,
  restart: (name: string) => `to restart it with ${name}: sup restart --with-dependents ${name}`,
  never: (name: string) => `${name} is restarted always and so never completes: sup waits until it is ready`,
};

const isEndless = (own: Readonly<Record<string, Plain>>): boolean =>
  /^(?:always|any|unless-stopped)$/.test(policyOf(own));

type Options = Readonly<Record<string, Plain>>;

/** Returns remarks about a dependency that `sup` treats differently. */
const dependencyNotes = (name: string, options: Options, own: Options): readonly string[] => {
  const notes = {
    service_started: hasCheck(own) ? [CONDITION_NOTES.started(name)] : [],
    service_healthy: hasCheck(own) ? [] : [CONDITION_NOTES.healthy(name)],
    service_completed_successfully: isEndless(own) ? [CONDITION_NOTES.never(name)] : [],
  };
  const found = Object.entries(notes).find(([condition]) => condition === options['condition']);
  return [...(found?.[1] ?? []), ...(isTrue(options['restart']) ? [CONDITION_NOTES.restart(name)] : [])];
};

const dependencyOf = (theirs: string, value: Plain, service: ComposeService): Dependency => {
  const name = service.names.get(theirs) ?? theirs;
  const options = isPlainMap(value) ? value : {};
  const own = ownOf(theirs, service);
  const isCompleted = options['condition'] === 'service_completed_successfully' && !isEndless(own);
  const more = {
    ...(isCompleted && { condition: 'completed' }),
    ...(options['required'] === false && { required: false }),
  };
  const note = dependencyNotes(name, options, own).join('; ');
  const keys = Object.keys(more).length === 0 ? name : { service: name, ...more };
  return { keys, ...(note !== '' && { note }) };
};

/** Returns `depends_on` for the services that the map names. Names of unknown services are lost. */
const dependencies = (table: Readonly<Record<string, Plain>>, service: ComposeService): Translation => {
  const known = Object.entries(table).filter(([name]) => Object.hasOwn(service.services, name));
  const unknown = Object.keys(table).filter((name) => !Object.hasOwn(service.services, name));
  const all = known.map(([name, value]) => dependencyOf(name, value, service));
  const notes = all.flatMap(({ note }) => note ?? []);
  return {
    ...(all.length > 0 && { keys: { depends_on: all.map(({ keys }) => keys) } }),
    ...remarks(notes, unknown.length > 0 ? [`${unknown.join(', ')} is not a service of this file`] : []),
  };
};

const conditionOf = (
  { condition }: ComposeTarget['spec']['dependsOn'][number],
  isChecked: boolean,
): string => {
  if (condition === 'completed') return 'service_completed_successfully';
  return isChecked ? 'service_healthy' : 'service_started';
};

const ENDLESS =
  'Compose restarts it without end; sup gives up after 8 failed restarts in a row, or max_restarts';

/** Translates a restart policy of Compose, such as `on-failure:3`. */
export const restartKeys = (value: Plain): Translation => {
  const [, word = '', count] = /^([\w-]+)(?::(\d+))?$/.exec(textOf(value)) ?? [];
  if (/^(?:no|false|none)$/.test(word)) return { keys: { restart_policy: 'never' } };
  if (/^(?:always|any|unless-stopped)$/.test(word))
    return { keys: { restart_policy: 'always' }, changed: ENDLESS };
  if (word !== 'on-failure') return { lost: `${shownValue(value)} is not a restart policy` };
  return count === undefined
    ? { keys: { restart_policy: 'on-failure' }, changed: ENDLESS }
    : { keys: { restart_policy: 'on-failure', max_restarts: Number(count) } };
};

const RESTARTS = { never: 'no', always: 'always' } as const;

/** Returns the commands of lifecycle hooks as one line for `sh`. */
const hookLine = (value: Plain, service: ComposeService): string =>
  (isList(value) ? value : [])
    .map((each) => (isPlainMap(each) ? (each['command'] ?? '') : each))
    .map((command) => {
      const [shell, option, line, ...others] = isList(command) ? textsOf(command) : [];
      const isLine = shell === 'sh' && option === '-c' && line !== undefined && others.length === 0;
      return isLine ? literalText(line) : shellLineOf(command, service);
    })
    .join(' && ');

/** The rows for start, restart and stop. */
export const LIFE_ROWS: readonly ComposeRow[] = [
  {
    theirs: 'depends_on',
    ours: ['depends_on'],
    note: 'A service waits until its dependency is ready. This corresponds to `service_healthy` if the dependency has a health check, and otherwise to `service_started`.',
    read: ({ value }, service) => dependencies(isPlainMap(value) ? value : {}, service),
    write: ({ spec: { dependsOn }, nameOf, isChecked }) =>
      dependsOn.length === 0
        ? {}
        : {
            keys: {
              depends_on: Object.fromEntries(
                dependsOn.map((each) => [
                  nameOf(each.service),
                  {
                    condition: conditionOf(each, isChecked(each.service)),
                    ...(each.required === false && { required: false }),
                  },
                ]),
              ),
            },
          },
  },
  {
    theirs: 'links',
    ours: ['depends_on'],
    note: 'An alias becomes `127.0.0.1` only if it is the name of a service.',
    read: ({ value }, service) =>
      dependencies(
        Object.fromEntries(textsOf(value).map((each) => [each.split(':')[0] ?? each, null])),
        service,
      ),
  },
  {
    theirs: 'restart',
    ours: ['restart_policy', 'max_restarts'],
    note: '`unless-stopped` becomes `always`: in `sup` a service that was stopped by hand stays down in any case. Without the key Compose restarts nothing.',
    read: ({ value }) => restartKeys(value),
    absent: ({ own }) =>
      isPlainMap(own['deploy']) && own['deploy']['restart_policy'] !== undefined
        ? {}
        : { keys: { restart_policy: 'never' } },
    write: ({ spec: { restartPolicy, maxRestarts, kind } }) => ({
      keys: {
        restart:
          kind === 'cron'
            ? 'no'
            : restartPolicy === 'on-failure'
              ? `on-failure:${maxRestarts}`
              : RESTARTS[restartPolicy],
      },
    }),
  },
  {
    theirs: 'stop_signal',
    ours: ['stop_signal'],
    read: translated('stop_signal', (value) => signalName(textOf(value)), 'a signal'),
    write: ({ spec: { stopSignal } }) =>
      stopSignal === 'SIGTERM' ? {} : { keys: { stop_signal: stopSignal } },
  },
  {
    theirs: 'stop_grace_period',
    ours: ['stop_timeout'],
    note: 'In both programs the default is 10 s.',
    read: durationTo('stop_timeout'),
    write: ({ spec: { stopTimeout } }) =>
      stopTimeout === 10_000 ? {} : { keys: { stop_grace_period: durationText(stopTimeout) } },
  },
  {
    theirs: 'pre_stop',
    ours: ['stop_command'],
    note: 'One line for the shell. A failure does not prevent the stop.',
    read: ({ value }, service) => ({ keys: { stop_command: hookLine(value, service) } }),
    write: ({ spec: { stopCommand } }) => ({
      ...ifPresent(stopCommand, (line) => ({ pre_stop: [{ command: shellWords(line) }] })),
      ...(stopCommand?.includes('SUP_PID') && { changed: 'SUP_PID is not set: the program is process 1' }),
    }),
  },
  {
    theirs: 'post_start',
    ours: ['hooks.onstart'],
    note: 'The command runs when the service is ready, and its failure has no effect.',
    read: ({ value }, service) => ({
      keys: { 'hooks.onstart': { command: hookLine(value, service) } },
      changed: 'it runs when the service is ready; nothing waits for it, and its failure stops nothing',
    }),
    write: ({ spec: { hooks } }) => {
      const others = Object.keys(hooks).filter((name) => name !== 'onstart');
      return {
        ...ifPresent(hooks.onstart, ({ command }) => ({ post_start: [{ command: shellWords(command) }] })),
        ...(hooks.onstart && { changed: 'a failure of the command stops the container' }),
        ...(others.length > 0 && { lost: `${others.join(', ')}: Compose runs no command then` }),
      };
    },
  },
  {
    theirs: 'scale',
    ours: ['replicas'],
    read: numberTo('replicas'),
  },
  {
    theirs: 'none',
    ours: ['cron'],
    note: 'A scheduled service gets the profile `cron`, so that Compose does not start it.',
    write: ({ spec: { name, kind } }) =>
      kind === 'cron'
        ? { lost: `Compose has no schedules: let cron of the machine run docker compose run --rm ${name}` }
        : {},
  },
  { theirs: 'attach', ours: [], note: '`sup logs` shows the output of any service.', read: unneeded },
  {
    theirs: 'pull_policy',
    also: ['pull_refresh_after'],
    ours: [],
    note: 'There is no image to pull.',
    read: unneeded,
  },
];

/** Returns a duration of Compose in ms. Returns `standard` if the duration is missing, invalid or 0. */
export const timeOf = (value: Plain | undefined, standard: number): number => {
  const time = durationMs(value);
  return time === undefined || time === 0 ? standard : time;
};

/** Returns a count of Compose. Returns `standard` if the count is missing, invalid or 0. */
export const countOf = (value: Plain | undefined, standard: number): number => numberOf(value) || standard;
