// Which services a command is about: names, `-c`, `--here` and `-p` as the supervisor understands them.
import type { Selection } from '../../streams/domain/command.ts';
import type { Context } from '../context.ts';
import { valueOf, type Parsed } from '../grammar/parsed.ts';
import { manifestHere } from './manifest-argument.ts';
import { registeredPath } from './registered-path.ts';

/** The names behind the command and those of `-s`: they mean the same. */
const namesIn = ({ operands, values }: Parsed): readonly string[] => [...operands, ...(values.service ?? [])];

/** The manifest that `-c` or `--here` names. Throws ERR0203 when there is none here. */
const manifestIn = (parsed: Parsed, context: Context): string | undefined => {
  if (parsed.flags.has('here')) return registeredPath(manifestHere(context.world.directory), context);
  const config = valueOf(parsed, 'config');
  return config === undefined ? undefined : registeredPath(config, context);
};

export const selectionOf = (parsed: Parsed, context: Context): Selection => {
  const [services, projects] = [namesIn(parsed), parsed.values.project];
  const manifest = manifestIn(parsed, context);
  return {
    ...(projects === undefined ? {} : { projects }),
    ...(services.length === 0 ? {} : { services }),
    ...(manifest === undefined ? {} : { manifest }),
  };
};
