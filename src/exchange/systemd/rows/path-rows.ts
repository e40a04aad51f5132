// Table rows that translate systemd's settings about accessible paths to `isolation.landlock`, and back.
import type { LandlockSpec } from '../../../streams/domain/declared/spec.ts';
import { lostRow, wordsIn, type UnitContext, type UnitExport, type UnitRow } from '../unit-context.ts';
import { isNo, isYes } from '../unit-values.ts';
import { plainWords, unitWord } from '../unit-words.ts';
import { type Plain, type Setting, type Translation } from '../../key-table.ts';

/** Returns the paths in lines, without their prefixes `-` and `+`. */
const pathsIn = (lines: readonly string[]): readonly string[] =>
  lines.flatMap(plainWords).map((path) => path.replace(/^[-+]+/, ''));

const SYSTEM_WRITABLE = ['/dev', '/proc', '/sys'];

/**
 * Returns the lists of paths for `ProtectSystem=strict`. With this setting a unit can write only to the paths
 * that it names.
 */
const strictLists = (context: UnitContext): Plain => {
  const own = isYes(context.value('PrivateTmp')) ? ['/tmp', '/var/tmp'] : [];
  const writable = pathsIn(context.values('ReadWritePaths'));
  return { ro_paths: ['/'], rw_paths: [...new Set([...SYSTEM_WRITABLE, ...own, ...writable])] };
};

/**
 * Returns the lists of readable and writable paths. Returns `undefined` if the unit neither makes `/`
 * read-only nor hides it: Landlock needs a list of all permitted paths, and the unit has none.
 */
const listsOf = (context: UnitContext): Plain | undefined => {
  const { values, value } = context;
  const [readable, writable] = [pathsIn(values('ReadOnlyPaths')), pathsIn(values('ReadWritePaths'))];
  if (readable.includes('/')) return { ro_paths: readable, rw_paths: writable };
  if (values('TemporaryFileSystem').some((line) => /^\/(?::|$)/.test(line)))
    return { ro_paths: pathsIn(values('BindReadOnlyPaths')), rw_paths: pathsIn(values('BindPaths')) };
  return value('ProtectSystem') === 'strict' ? strictLists(context) : undefined;
};

/** Returns the lists of Landlock for a unit: readable, writable and executable paths. */
const landlockOf = (context: UnitContext): Plain | undefined => {
  const lists = listsOf(context);
  if (lists === undefined || !pathsIn(context.values('NoExecPaths')).includes('/')) return lists;
  return { ...(lists as object), exec_paths: pathsIn(context.values('ExecPaths')) };
};

const NO_LIST =
  'isolation.landlock lists what is permitted, and the unit permits everything else: name all paths that the service needs';

const paths = (_: Setting, context: UnitContext): Translation => {
  const lists = landlockOf(context);
  if (lists === undefined) return { lost: NO_LIST };
  return { keys: { 'isolation.landlock': lists } };
};

const bindList = (list: readonly string[]): string => list.map(unitWord).join(' ');

const landlockKeys = ({ roPaths, rwPaths, execPaths }: LandlockSpec): Readonly<Record<string, Plain>> => ({
  ...(roPaths.includes('/')
    ? {
        'Service.ReadOnlyPaths': bindList(roPaths),
        ...(rwPaths.length > 0 && { 'Service.ReadWritePaths': bindList(rwPaths) }),
      }
    : {
        'Service.TemporaryFileSystem': '/:ro',
        ...(roPaths.length > 0 && { 'Service.BindReadOnlyPaths': bindList(roPaths) }),
        ...(rwPaths.length > 0 && { 'Service.BindPaths': bindList(rwPaths) }),
      }),
  ...(execPaths.length > 0 && { 'Service.NoExecPaths': '/', 'Service.ExecPaths': bindList(execPaths) }),
});

const landlockWritten = ({ spec: { privilege } }: UnitExport): Translation => {
  const lists = privilege.isolation?.landlock;
  return lists === undefined ? {} : { keys: landlockKeys(lists) };
};

export const PATH_ROWS: readonly UnitRow[] = [
  {
    theirs: 'ReadWritePaths',
    also: ['ReadWriteDirectories'],
    ours: ['isolation.landlock'],
    note: 'Imported if the unit has `ReadOnlyPaths=/` or `ProtectSystem=strict`: `ro_paths` has `/`, and `rw_paths` has these paths. With `ProtectSystem=strict`, `rw_paths` also has `/dev`, `/proc` and `/sys`.',
    read: (setting, context) => (landlockOf(context) === undefined ? {} : paths(setting, context)),
  },
  {
    theirs: 'ReadOnlyPaths',
    also: ['ReadOnlyDirectories'],
    ours: ['isolation.landlock'],
    note: 'Imported if it contains `/`. Landlock lists without `/` are exported as `TemporaryFileSystem=/:ro` with `BindReadOnlyPaths=` and `BindPaths=`.',
    read: paths,
    write: landlockWritten,
  },
  {
    theirs: 'TemporaryFileSystem',
    ours: ['isolation.landlock'],
    note: 'Imported if it is `/`: then the service can only reach bound paths.',
    read: paths,
  },
  {
    theirs: 'BindReadOnlyPaths',
    also: ['BindPaths'],
    ours: ['isolation.landlock'],
    note: 'Is used together with `TemporaryFileSystem=/`. A bind to another path is lost.',
    read: (setting, context) =>
      wordsIn(setting).some((path) => path.includes(':'))
        ? { lost: 'a path cannot be bound to another one' }
        : paths(setting, context),
  },
  {
    theirs: 'ExecPaths',
    also: ['NoExecPaths'],
    ours: ['isolation.landlock.exec_paths'],
    note: 'Is used together with `NoExecPaths=/`.',
    read: paths,
  },
  lostRow('InaccessiblePaths InaccessibleDirectories', NO_LIST),
  lostRow(
    'RootDirectory RootImage RootImageOptions RootHash RootHashSignature RootVerity ExtensionDirectories ExtensionImages MountImages MountFlags MountAPIVFS',
    'a service has the file system of the machine: sup mounts nothing',
    isNo,
  ),
  lostRow(
    'DeviceAllow DevicePolicy',
    'isolation.landlock can leave out paths below /dev',
    (value) => value === 'auto',
  ),
];
