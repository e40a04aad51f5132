import { CATALOGUE } from '../../domain/errors/catalogue.ts';
import { leading, manifestRemedy, type SupError, type Unchosen } from '../../domain/errors/error.ts';
import { isManifestError } from '../../domain/errors/error-sentence.ts';
import { shownId } from '../../domain/ids.ts';
import { nearest } from '../nearest.ts';
import { serviceHint } from './service-hint.ts';

/**
 * Returns the advice that fits the facts of the error. If there is none, returns the advice in the catalogue
 * of errors.
 */
export const errorHint = (error: SupError): string => {
  const hint = betterHint(error) ?? CATALOGUE[error.code].next;
  return 'host' in error ? hint.replaceAll('<host>', error.host) : hint;
};

const betterHint = (error: SupError): string | undefined => {
  if (isManifestError(error)) return leading(error.problems)?.hint;
  if ('service' in error) return serviceHint(error);
  switch (error.code) {
    case 'ERR0006':
      return ambiguousHint(error.name, error.projects);
    case 'ERR0202':
      return unknownHint(error);
    case 'ERR0206':
      return goneHint(error);
    case 'ERR0205':
      return unansweredHint(error);
    case 'ERR0241':
      return allowingHint(error);
    case 'ERR0301':
      return error.manifests.map(manifestRemedy).join('; ');
    case 'ERR0502':
      return FAILED[error.why ?? 'tried'];
    case 'ERR0203':
    case 'ERR0605':
      return error.mend;
    case 'ERR0801':
      return `name it with --format: ${error.formats.join(', ')}`;
    default:
      return undefined;
  }
};

/** The advice after a failed upgrade (ERR0502), by the reason of the failure. */
const FAILED = {
  busy: 'it goes on as before; upgrade again when it has less to do (to see what is still changing: sup status)',
  replaced: 'sup shutdown, then sup start, begins what is installed now; until then all goes on as before',
  tried: 'install it again, or upgrade to another version; the services are as they were',
} as const;

const goneHint = ({ dataDir, command }: Extract<SupError, { code: 'ERR0206' }>): string | undefined => {
  if (command !== undefined) return 'to see how things are now: sup status';
  return dataDir === undefined ? 'once it is gone, begin a new one: sup start' : undefined;
};

const ambiguousHint = (name: string, projects: readonly string[]): string =>
  `say which: ${projects.map((project) => `${project}/${name}`).join(', or ')}`;

const unansweredHint = ({ full, pid }: Extract<SupError, { code: 'ERR0205' }>): string | undefined => {
  if (full) return 'ss -xp shows the connected clients; end those that are not needed';
  return pid === undefined
    ? undefined
    : `if it is stopped: kill -CONT ${pid}; to end it while its services go on: sup shutdown --force`;
};

const allowingHint = ({ change, services: [first = '*'] }: Extract<SupError, { code: 'ERR0241' }>): string =>
  `a person may allow it: sup mcp --allow '${change}:${first}'`;

const MOST_NAMES = 8;

const bareName = (id: string): string => id.slice(id.indexOf('/') + 1);

/**
 * Returns the question "did you mean …?" with a similar known name. A name without a project is compared with
 * the names of services in all projects: `apii` is similar to `shop/api`.
 */
const likely = (name: string, known: readonly string[]): string | undefined => {
  const form = name.includes('/') ? (id: string): string => id : bareName;
  const near = nearest(name, known.map(form));
  const meant = known.find((id) => form(id) === near);
  return meant === undefined ? undefined : `did you mean "${meant}"?`;
};

const knownHint = (name: string, known: readonly string[]): string | undefined => {
  if (known.length === 0) return 'nothing is registered: sup start -c <manifest>';
  const all = known.length <= MOST_NAMES ? `there are ${known.join(', ')}` : undefined;
  return likely(name, known) ?? all;
};

/**
 * Returns advice with a start command that chooses one profile of the service. The command repeats the files
 * and profiles with which the manifest is read now.
 */
const choosingHint = ({ service, profiles, manifest, reading = {} }: Unchosen): string => {
  const files = [manifest, ...(reading.files ?? [])].map((file) => `-c ${file}`);
  const chosen = [...(reading.profiles ?? []), ...profiles.slice(0, 1)].map((name) => `--profile ${name}`);
  return ['sup start', ...files, ...chosen, shownId(service)].join(' ');
};

type UnknownName = Extract<SupError, { code: 'ERR0202' }>;

const unknownHint = ({ name, known, isProject = false, unchosen }: UnknownName): string | undefined => {
  if (unchosen !== undefined) return choosingHint(unchosen);
  return isProject ? `it is a project: -p ${name}` : knownHint(name, known);
};
