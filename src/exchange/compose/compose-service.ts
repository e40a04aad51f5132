// The context that a row of the Compose table gets besides the value of its key. Further functions translate
// paths, host names and commands of containers to those of this machine.
import { isAbsolute, posix, resolve } from 'node:path';
import { shellWord } from '../../os/shell-word.ts';
import { splitWords } from '../supervisord/python-words.ts';
import { isList, isPlainMap, type Plain } from '../key-table.ts';
import { literalText, literalPattern } from '../manifest-text.ts';
import { textOf, textsOf } from '../source-values.ts';

export interface ComposeService {
  /** The name in the Compose file. */
  readonly name: string;
  /** The whole service, merged from all files. */
  readonly own: Readonly<Record<string, Plain>>;
  /** All services by their names in the Compose file. */
  readonly services: Readonly<Record<string, Plain>>;
  /** The names in the manifest by the names in the Compose file. */
  readonly names: ReadonlyMap<string, string>;
  /** The map `secrets` of the top level. */
  readonly secrets: Readonly<Record<string, Plain>>;
  readonly directory: string;
  /** Returns a path of the Compose file as it must be written in the manifest. */
  readonly placed: (path: string) => string;
  readonly workingDir: (directory: string) => string | undefined;
  /** Returns the variables of an env file; `undefined` if there is no such file. */
  readonly envFile: (path: string) => Readonly<Record<string, string>> | undefined;
}

interface Mount {
  readonly source: string;
  readonly target: string;
}

const mountOf = (value: Plain): Mount | undefined => {
  if (isPlainMap(value))
    return value['type'] === 'bind' && value['source'] !== undefined
      ? { source: textOf(value['source']), target: textOf(value['target']) }
      : undefined;
  const [source = '', target] = textOf(value).split(':');
  return target !== undefined && /^[./~]/.test(source) ? { source, target } : undefined;
};

/**
 * Returns the directories and files of this machine that are mounted into the container. The longest target
 * is first, so that a search finds the innermost mount of a path.
 */
export const mountsOf = ({ own, directory }: ComposeService): readonly Mount[] =>
  (isList(own['volumes']) ? own['volumes'] : [])
    .flatMap((value) => mountOf(value) ?? [])
    .map(({ source, target }) => ({ source: resolve(directory, source), target: posix.normalize(target) }))
    .sort((one, other) => other.target.length - one.target.length);

/**
 * Returns the path on this machine for a path in the container; `undefined` if no volume contains the path.
 */
export const hostPath = (path: string, service: ComposeService): string | undefined => {
  if (!isAbsolute(path)) return undefined;
  const whole = posix.normalize(path);
  const found = mountsOf(service).find(
    ({ target }) => whole === target || whole.startsWith(target === '/' ? '/' : `${target}/`),
  );
  return found && resolve(found.source, posix.relative(found.target, whole));
};

/** Returns the host names by which containers reach a service. */
const hostNames = (name: string, value: Plain): readonly string[] =>
  isPlainMap(value) ? [name, ...textsOf(value['container_name']), ...textsOf(value['hostname'])] : [name];

/**
 * Returns the text with `127.0.0.1` in place of the host names of services. Replaces only names in addresses,
 * or the whole text if `isHost` says that it is a host name.
 */
const withLocalHosts = (text: string, service: ComposeService, isHost = false): string => {
  const names = Object.entries(service.services).flatMap(([name, value]) => hostNames(name, value));
  const any = names.map(literalPattern).join('|');
  if (any === '') return text;
  if (isHost && names.includes(text)) return '127.0.0.1';
  const inAddress = new RegExp(
    String.raw`(?<=^|[\s,;=@/"'(\[])(?:${any})(?=:\d)|(?<=://(?:[^/@\s]*@)?)(?:${any})(?=[/:?]|$)`,
    'g',
  );
  return text.replaceAll(inAddress, '127.0.0.1');
};

interface Written {
  readonly text: string;
  /** Remarks about paths of the container that became other paths on this machine. */
  readonly notes: readonly string[];
}

/** Returns a text of the container with the paths and host names of this machine. */
export const onThisMachine = (text: string, service: ComposeService, isHost = false): Written => {
  const path = hostPath(text, service);
  if (path !== undefined && path !== text)
    return { text: path, notes: [`${text} is ${path} on this machine`] };
  const local = withLocalHosts(text, service, isHost);
  return { text: local, notes: local === text ? [] : [`${text} is ${local} on this machine`] };
};

/** Returns the words of a command. A list is returned as it is, and a text is split as Compose does it. */
export const wordsOf = (value: Plain | undefined): readonly string[] =>
  typeof value === 'string' ? splitWords(value) : textsOf(value);

/** Returns a line for `sh` that runs a command of Compose, escaped for a manifest. */
export const shellLineOf = (value: Plain, service: ComposeService): string =>
  typeof value === 'string'
    ? literalText(withLocalHosts(value, service))
    : literalText(
        textsOf(value)
          .map((word) => shellWord(onThisMachine(word, service).text))
          .join(' '),
      );
