// Builds the words of `sup` command lines. The library runs these commands on this machine, or by ssh on
// another machine.
import type { Selection } from '../../streams/domain/command.ts';
import { shown } from '../../streams/wire/params/checked-fields.ts';
import { type AbsolutePath, wrong } from './checked-input.ts';
import type { ValidateOptions } from './sup-interface.ts';

/** Returns the words that select services. Throws ERR0200 for a name that would be read as an option. */
export const selectionWords = ({ services = [], projects = [], manifest }: Selection): readonly string[] => {
  const option = services.find((name) => name.startsWith('-'));
  if (option !== undefined) throw wrong(`selection.services: ${shown(option)} is no name of a service`);
  return [
    ...services,
    ...projects.map((project) => `--project=${project}`),
    ...(manifest === undefined ? [] : [`--config=${manifest}`]),
  ];
};

/** Returns the word `--option=value`, or no word if there is no value. */
export const optionWord = (option: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${option}=${value}`];

/**
 * Returns the words that name a manifest, its files and its profiles. Without files or profiles, `sup` uses
 * the registered ones. Throws ERR0200 for files without a manifest.
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
    // `sup` reads a manifest without `--config` together with its registered files. With `--config` it reads
    // only the named files, so all files must be named.
    ...(others.length === 0 ? first : [...first, ...others].map((file) => `--config=${file}`)),
    ...profiles.flatMap((profile) => optionWord('profile', profile)),
  ];
};
