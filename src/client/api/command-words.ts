// The words of a command line of `sup`, for what the library has that program do: on this machine, and on
// another one by ssh.
import type { Selection } from '../../streams/domain/command.ts';
import { shown } from '../../streams/wire/checked-fields.ts';
import { type AbsolutePath, wrong } from './checked-input.ts';
import type { ValidateOptions } from './sup-interface.ts';

/** Returns the words that select services. None of them can be read as an option. */
export const selectionWords = ({ services = [], projects = [], manifest }: Selection): readonly string[] => {
  const option = services.find((name) => name.startsWith('-'));
  if (option !== undefined) throw wrong(`selection.services: ${shown(option)} is no name of a service`);
  return [
    ...services,
    ...projects.map((project) => `--project=${project}`),
    ...(manifest === undefined ? [] : [`--config=${manifest}`]),
  ];
};

/** Returns the word of an option; none without a value. */
export const optionWord = (option: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${option}=${value}`];

/**
 * Returns the words that name a manifest. Its files and profiles are as registered, unless others are given.
 * Throws ERR0200 for files without a manifest.
 */
export const manifestWords = (
  { manifest, profiles = [], files = [] }: ValidateOptions,
  absolute: AbsolutePath,
): readonly string[] => {
  const first = manifest === undefined ? [] : [absolute(manifest, 'options.manifest')];
  if (first.length === 0 && files.length > 0)
    throw wrong('options.manifest: is missing; options.files are read after it');
  const others = files.map((file, at) => absolute(file, `options.files.${at}`));
  return [
    // A manifest without an option is read with its registered files; `--config` names all files.
    ...(others.length === 0 ? first : [...first, ...others].map((file) => `--config=${file}`)),
    ...profiles.flatMap((profile) => optionWord('profile', profile)),
  ];
};
