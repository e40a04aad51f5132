// Warns about commands that a privileged supervisor runs as root for a confined service, if another user can
// change their directory or program and so become root (ERR0747; `docs/manifest.md`, "run_as").
import { resolve } from 'node:path';
import type { Reload } from '../../streams/domain/declared/spec.ts';
import { programsIn, whoRunsCommands } from '../../streams/launch/command-as-service.ts';
import { isConfined, type Confining } from '../../streams/launch/confined.ts';
import { troubleAt } from '../../os/files/trusted-directories.ts';
import type { deployment } from '../decode/deployment-object.ts';
import { reportAtKey, type DecodeContext, type Spot, type ValueOf } from '../decode/shapes/decoder.ts';
import { keyOf } from '../decode/shapes/object.ts';
import { written } from './report-ignored-keys.ts';

interface Declared extends Confining {
  readonly runAs?: 'supervisor' | 'service';
  readonly workingDir?: string;
  readonly skip: boolean | string;
  readonly reload?: Reload;
  readonly stopCommand?: string;
  readonly deployment: ValueOf<typeof deployment>;
  readonly hooks?: object;
}

interface RootCommand {
  readonly key: string;
  readonly command: string;
  /** The working directory of the command. */
  readonly directory: string;
  /** True if `run_as: service` would make the command run as the service's user. */
  readonly canBeGiven: boolean;
}

type Commands = readonly (readonly [key: string, command: string | undefined])[];

const ofHealthCheck = (check: Declared['deployment']['healthCheck']): Commands => [
  ['deployment.health_check.command', check?.command],
  ['deployment.health_check.liveness.command', check?.liveness?.command],
];

const ofRunAs = ({ skip, reload, stopCommand, runAs: declared, deployment }: Declared): Commands => [
  ['skip', typeof skip === 'string' ? skip : undefined],
  ['deployment.pre_start', deployment.preStart],
  ...ofHealthCheck(deployment.healthCheck),
  [
    'deployment.blue_green.candidate_health_check.command',
    deployment.blueGreen?.candidateHealthCheck?.command,
  ],
  ['stop_command', stopCommand],
  // A reload command runs as root only with `run_as: supervisor`.
  ['reload', declared === 'supervisor' && reload?.tag === 'command' ? reload.command : undefined],
];

const alwaysSupervisors = ({ deployment: { blueGreen: slots } }: Declared): Commands => [
  ['deployment.blue_green.switch_command', slots?.switchCommand],
  ['deployment.blue_green.switch_verify.command', slots?.switchVerify?.command],
];

/** Returns every command below `hooks` with its key: `hooks.onstart`, `hooks.on_stop.error.command`. */
const hookCommands = (value: unknown, key = 'hooks'): Commands => {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => hookCommands(below, `${key}.${keyOf(name)}`));
};

const rootCommandsIn = (declared: Declared, context: DecodeContext): readonly RootCommand[] => {
  const workingDir = resolve(context.directory, declared.workingDir ?? '.');
  const isOfService = whoRunsCommands(declared.runAs, context.schema, declared) === 'service';
  const commandsOf = (commands: Commands, directory: string, canBeGiven: boolean): readonly RootCommand[] =>
    commands.flatMap(([key, command]) =>
      command === undefined ? [] : [{ key, command, directory, canBeGiven }],
    );
  return [
    ...(isOfService ? [] : commandsOf(ofRunAs(declared), workingDir, true)),
    ...commandsOf(alwaysSupervisors(declared), workingDir, false),
    ...commandsOf(hookCommands(declared.hooks), context.directory, false),
  ];
};

const troubleOf = ({ command, directory }: RootCommand): string | undefined => {
  const places = [directory, ...programsIn(command).map((program) => resolve(directory, program))];
  for (const place of new Set(places)) {
    const trouble = troubleAt(place);
    if (trouble !== undefined) return `${place} is not root's alone (${trouble})`;
  }
  return undefined;
};

/** Warns about a command of `alerts` that runs as root although another user can change it. */
export const warnOfRootCommand = (command: string, spot: Spot, context: DecodeContext): void => {
  if (!context.reader.sys) return;
  const trouble = troubleOf({ key: 'command', command, directory: context.directory, canBeGiven: false });
  if (trouble === undefined) return;
  reportAtKey(spot, context, {
    code: 'ERR0747',
    severity: 'warning',
    message: `runs as root, and ${trouble}`,
    hint: "make the place root's, and closed to others",
  });
};

const ROOT = { uid: 0, name: 'root' };

/**
 * Warns about commands of a confined service that run as root although another user can change them. `spot`:
 * the service.
 */
export const warnOfRoot = (declared: Declared, spot: Spot, context: DecodeContext): void => {
  if (!context.reader.sys || !isConfined(declared, ROOT)) return;
  const { user = 'the service' } = declared;
  for (const each of rootCommandsIn(declared, context)) {
    const trouble = troubleOf(each);
    if (trouble === undefined) continue;
    reportAtKey(written(spot, each.key) ?? spot, context, {
      code: 'ERR0747',
      severity: 'warning',
      message: `runs as root, and ${trouble}`,
      hint: each.canBeGiven
        ? `run_as: service runs it as ${user}; else make the place root's, and closed to others`
        : "make the place root's, and closed to others",
    });
  }
};
