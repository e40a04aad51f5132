// Which services a command is about: `-c`, `-p`, `-s` as the supervisor understands them.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Selection } from '../../streams/domain/command.ts';
import type { Context } from '../context.ts';
import type { Parsed } from '../grammar/parsed.ts';

/** The manifest's resolved path. A file that is gone is still known by its plain path. */
export const resolvedPath = (path: string, directory: string): string => {
  const absolute = resolve(directory, path);
  try {
    return realpathSync(absolute);
  } catch {
    return absolute;
  }
};

export const selectionOf = ({ values }: Parsed, { world }: Context): Selection => {
  const { config, project, service } = values;
  return {
    ...(project === undefined ? {} : { projects: [project] }),
    ...(service === undefined ? {} : { services: [service] }),
    ...(config === undefined ? {} : { manifest: resolvedPath(config, world.directory) }),
  };
};
