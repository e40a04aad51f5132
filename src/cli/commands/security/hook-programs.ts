// Finds the programs that hooks, alerts and other commands of services name by a path. Programs without a
// path, which a shell finds through `PATH`, are not included.
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';

type Command = readonly [line: string | undefined, directory: string];

/** Returns the command lines that the supervisor runs in a shell, except those run as the service's user. */
const commandsOf = ({ directory, hooks, ...spec }: ServiceSpec): readonly Command[] => {
  const { stopCommand, reload, skip, deployment, alerts = [], runAs } = spec;
  const own = [
    ...Object.values(hooks).map(({ command }) => command),
    ...[stopCommand, deployment.preStart, deployment.blueGreen?.switchCommand],
    reload?.tag === 'command' ? reload.command : undefined,
    typeof skip === 'string' ? skip : undefined,
  ];
  return [
    ...(runAs === 'service' ? [] : own).map((line): Command => [line, directory]),
    ...alerts.flatMap(({ to }): readonly Command[] =>
      to.tag === 'command' ? [[to.command, to.directory]] : [],
    ),
  ];
};

/** Matches a character that ends a word of a shell command, or that is assumed not to be in a path. */
const SEPARATOR = /[\s;&|<>()$`"'=*?]/;

const pathsIn = (line: string): readonly string[] =>
  line.split(SEPARATOR).filter((word) => word.includes('/'));

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Returns the existing programs that commands of these services name by their path, without duplicates. */
export const hookPrograms = (specs: readonly ServiceSpec[]): readonly string[] => {
  const named = specs
    .flatMap(commandsOf)
    .flatMap(([line = '', directory]) => pathsIn(line).map((word) => resolve(directory, word)));
  return [...new Set(named)].filter(isProgram);
};
