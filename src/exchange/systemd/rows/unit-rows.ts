// Table rows that translate the sections [Unit] and [Install] of systemd's units: descriptions, dependencies,
// and when a unit starts.
import {
  lostRow,
  unneededRow,
  withLoss,
  wordsIn,
  type UnitContext,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { isNo } from '../unit-values.ts';
import type { UnitEdge } from '../unit-dependencies.ts';
import { remarks, type Plain, type Setting, type Translation } from '../../key-table.ts';

/** Translates the dependencies that a key of the unit has declared. */
const entriesOf = (edges: readonly UnitEdge[], { dependencyOn }: UnitContext): Translation => {
  const usable = edges.filter(({ isCircular }) => !isCircular);
  const circular = edges.filter(({ isCircular }) => isCircular).map(({ on }) => on);
  const eager = usable.filter(({ ordered }) => !ordered).map(({ on }) => on);
  const entries = usable.map(dependencyOn);
  return {
    ...(entries.length > 0 && { keys: { depends_on: entries } }),
    ...remarks(
      eager.length > 0
        ? [`the start waits for ${eager.join(', ')}; without After= systemd starts both at once`]
        : [],
      circular.length > 0 ? [`${circular.join(', ')}: services cannot wait for each other in a circle`] : [],
    ),
  };
};

const withMissing = (translation: Translation, names: readonly string[]): Translation =>
  names.length === 0
    ? translation
    : withLoss(
        translation,
        `${names.join(', ')} is not imported, so nothing waits for it: import it, too, or make sure that it runs`,
      );

const dependencies = (setting: Setting, context: UnitContext): Translation =>
  withMissing(
    entriesOf(
      context.edges.filter(({ via }) => via === setting.key),
      context,
    ),
    context.missing(wordsIn(setting)),
  );

/**
 * The key of a setting that stands for the dependencies that other units declare for this unit. No unit file
 * has this key, so the import adds the setting.
 */
export const OF_OTHERS = 'Before of another unit';

const saidByOthers = (_: Setting, context: UnitContext): Translation =>
  entriesOf(
    context.edges.filter(({ via }) => via === undefined),
    context,
  );

const joined = (names: readonly string[]): Plain | undefined =>
  names.length === 0 ? undefined : names.join(' ');

const dependenciesWritten = ({ spec: { dependsOn }, unitsOf, socketUnits }: UnitExport): Translation => {
  const needed = dependsOn
    .filter(({ required }) => required !== false)
    .flatMap(({ service }) => unitsOf(service));
  const wanted = dependsOn
    .filter(({ required }) => required === false)
    .flatMap(({ service }) => unitsOf(service));
  const scheduled = dependsOn.some(({ service }) => unitsOf(service).length === 0);
  const [requires, wants, after] = [
    joined([...new Set(needed)]),
    joined([...new Set([...wanted, ...socketUnits])]),
    joined([...new Set([...needed, ...wanted, ...socketUnits])]),
  ];
  return {
    keys: {
      ...(requires !== undefined && { 'Unit.Requires': requires }),
      ...(wants !== undefined && { 'Unit.Wants': wants }),
      ...(after !== undefined && { 'Unit.After': after }),
    },
    ...(scheduled && { lost: 'a timer starts the scheduled service, and no unit can wait for it' }),
  };
};

const conflicts = (setting: Setting): Translation => {
  const others = wordsIn(setting).filter((name) => !/\.target$/.test(name));
  return others.length === 0 ? {} : { lost: `${others.join(', ')}: services do not stop each other` };
};

const PART_OF =
  'a stop does not pass on; sup restart --with-dependents restarts the services that depend on one';

const notOfTargets =
  (message: string) =>
  (setting: Setting): Translation =>
    wordsIn(setting).every((name) => name.endsWith('.target')) ? {} : { lost: message };

const dependencyRow = (theirs: string, note: string): UnitRow => ({
  theirs,
  ours: ['depends_on'],
  note,
  read: dependencies,
});

export const UNIT_ROWS: readonly UnitRow[] = [
  unneededRow(
    'Description Documentation SourcePath',
    'Only for people; a service of `sup` has a name but no description.',
  ),
  {
    ...dependencyRow(
      'Requires',
      'Is used together with `After=`. If the other unit is a oneshot, the dependency has `condition: completed`. Dependencies on units that are not imported are lost, except targets.',
    ),
    write: dependenciesWritten,
  },
  dependencyRow('Requisite', 'Is treated like `Requires=`.'),
  dependencyRow(
    'BindsTo',
    'Is treated like `Requires=`: a service stops when its dependency fails, and starts again when the dependency is ready again.',
  ),
  dependencyRow(
    'Wants',
    'With `After=` it becomes a dependency with `required: false`. Without `After=` no key is needed, because all services of a project start.',
  ),
  dependencyRow('Upholds', 'Is treated like `Wants=`.'),
  dependencyRow(
    'After',
    'A dependency with `required: false`, unless the unit also requires the other unit. A target stands for the services that it pulls in.',
  ),
  {
    theirs: 'Before',
    ours: ['depends_on'],
    note: 'The other service gets a dependency on this service.',
    read: (setting, context) => withMissing({}, context.missing(wordsIn(setting))),
  },
  {
    theirs: OF_OTHERS,
    ours: ['depends_on'],
    note: 'Also `RequiredBy=` of another unit.',
    read: saidByOthers,
  },
  {
    theirs: 'PartOf',
    ours: [],
    note: 'Targets need no key. For services the setting is lost.',
    read: notOfTargets(PART_OF),
  },
  {
    theirs: 'Conflicts',
    ours: [],
    note: 'Targets such as `shutdown.target` need no key. Lost for services.',
    read: conflicts,
  },
  {
    theirs: 'OnFailure',
    also: ['OnSuccess'],
    ours: [],
    note: 'Lost: write the command of that unit into `hooks`, or see [alerts](alerts.md).',
    read: (setting) => ({
      lost: `no service is started by the end of another one: write the command of ${wordsIn(setting).join(', ')} into ${setting.key === 'OnFailure' ? 'hooks.onerr' : 'hooks.on_stop.success'}`,
    }),
  },
  lostRow(
    'PropagatesReloadTo PropagateReloadTo ReloadPropagatedFrom PropagateReloadFrom PropagatesStopTo StopPropagatedFrom',
    'a reload or a stop is not passed on to other services',
  ),
  lostRow(
    'RequiresMountsFor',
    'nothing waits for a mount; a command in deployment.pre_start can: mountpoint -q PATH',
  ),
  unneededRow(
    'RequiresOverridable RequisiteOverridable BindTo',
    'These settings are old. systemd ignores them, or reads them as `BindsTo=`.',
  ),
  lostRow('StopWhenUnneeded', 'a service runs until it is stopped', isNo),
  lostRow('RefuseManualStart RefuseManualStop', 'every service can be started and stopped by hand', isNo),
  unneededRow(
    'DefaultDependencies AllowIsolate IgnoreOnIsolate OnSuccessJobMode OnFailureJobMode OnFailureIsolate CollectMode',
    'These settings are about targets and jobs of systemd. `sup` has no such targets and jobs.',
  ),
  lostRow(
    'JobTimeoutSec JobRunningTimeoutSec JobTimeoutAction JobTimeoutRebootArgument',
    'a start waits for its dependencies without a limit; sup start --timeout limits the command',
    (value) => value === 'infinity' || value === '0' || value === 'none',
  ),
  {
    theirs: 'WantedBy',
    also: ['RequiredBy'],
    ours: ['skip'],
    note: 'Every service starts with its project, also a service without `[Install]`. Such a service gets a comment about this.',
    read: () => ({}),
    absent: ({ isStarted, timer }) =>
      isStarted || timer !== undefined
        ? {}
        : {
            changed:
              'nothing in the imported units starts this one; it starts with its project, unless skip is true',
          },
  },
  lostRow('Alias', 'a service has one name'),
  unneededRow(
    'Also DefaultInstance',
    'These settings are about `systemctl enable`. `DefaultInstance=` is imported as the instance of a template.',
  ),
];
