// What every command works with: the data directory, the output options and the world
// (`docs/behaviour.md`, "Names and places"; `docs/commands.md`, "Options that every command takes").
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Flag } from './grammar/option-table.ts';
import type { Parsed } from './grammar/parsed-line.ts';
import type { Screen, World } from './world.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import type { CommandStatus } from '../streams/wire/exit-status.ts';
import { type Layout, layoutOf } from '../streams/wire/layout.ts';
import { dataDirOf } from '../os/process-environment.ts';
import { realPlace } from '../os/files/directories.ts';
import type { PlacePorts } from '../sources/control/socket-place.ts';

export interface Context {
  readonly world: World;
  readonly layout: Layout;
  readonly dataDir: string;
  readonly sys: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** True if that screen gets colours. */
  readonly colorOn: (screen: Screen) => boolean;
}

type Environment = Readonly<Record<string, string>>;

const given = (value: string | undefined): value is string => value !== undefined && value !== '';

/** Returns the path of the data directory as given, with its links. */
export const writtenDataDir = (sys: boolean, { environment, directory }: World): string =>
  dataDirOf(environment, { sys, directory });

/** True unless `NO_COLOR` (not empty), `--no-color` or a dumb terminal forbids colours. */
const wantsColor = (environment: Environment, flags: ReadonlySet<Flag>): boolean =>
  !given(environment['NO_COLOR']) && !flags.has('no-color') && environment['TERM'] !== 'dumb';

/** Throws ERR0701 for a data directory below a removed working directory, where it cannot be made. */
const refuseNowhere = ({ environment, directory }: World, dataDir: string): void => {
  const { SUP_DATA_DIR } = environment;
  if (!given(SUP_DATA_DIR) || isAbsolute(SUP_DATA_DIR) || existsSync(directory)) return;
  throw failure({ code: 'ERR0701', file: dataDir, detail: 'the working directory is gone' });
};

/** Throws ERR0704 for `--sys` without root, and ERR0701. */
export const contextOf = (flags: ReadonlySet<Flag>, world: World): Context => {
  const sys = flags.has('sys');
  if (sys && world.uid !== 0) throw failure({ code: 'ERR0704', uid: world.uid });
  const dataDir = realPlace(writtenDataDir(sys, world));
  refuseNowhere(world, dataDir);
  const color = wantsColor(world.environment, flags);
  return {
    world,
    dataDir,
    layout: layoutOf(dataDir),
    sys,
    json: flags.has('json'),
    quiet: flags.has('quiet'),
    verbose: flags.has('verbose'),
    colorOn: (screen) => color && screen.terminal,
  };
};

/** Returns what decides where the control socket is, as the supervisor of this context would see it. */
export const placePorts = ({ layout, sys, world: { environment, uid } }: Context): PlacePorts => ({
  ...{ layout, uid, sys },
  runtimeDir: environment['XDG_RUNTIME_DIR'],
});

/** Settles with the exit status, or with `undefined` if what the command started keeps the process. */
export type Handler = (parsed: Parsed, context: Context) => Promise<CommandStatus | undefined>;
