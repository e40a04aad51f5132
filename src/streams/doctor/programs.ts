// What `sup` itself runs on: Node, the package that calls the C library, and its code cache.
import { listedText } from '../domain/listed-text.ts';
import { fine, problem, warning, type Finding } from './finding.ts';
import { isAtLeast } from './release.ts';

const OLDEST = [20, 19] as const;

/** Checks the version of Node, as Node prints it. */
export const judgeNode = (version: string): Finding =>
  isAtLeast(version, OLDEST)
    ? fine('node', `Node ${version}`)
    : problem(
        'node',
        `Node ${version} is older than ${OLDEST.join('.')}`,
        `install Node ${OLDEST.join('.')} or later`,
      );

/** What needs the package, in one sentence. */
const WITHOUT =
  'services with user, limits, capabilities or isolation are refused (ERR0745), sockets cannot be handed to services';

interface Lack {
  /** How to install it. */
  readonly mend: string;
  /** Keys of registered services that are not applied; absent: none. */
  readonly undone?: string | undefined;
}

/** Checks the calls to the C library; `absence` is why there are none. */
export const judgeFfi = (absence: string | undefined, { mend, undone }: Lack): Finding =>
  absence === undefined
    ? fine('ffi', 'calls to the C library work')
    : warning(
        'ffi',
        `no calls to the C library (${absence}): ${undone === undefined ? WITHOUT : `not carried out: ${undone}`}`,
        mend,
      );

/**
 * Checks the barriers between services and the supervisor that need these calls. `absence`: as for
 * `judgeFfi`.
 */
export const judgeWalls = (absence: string | undefined, mend: string): Finding =>
  absence === undefined
    ? fine('walls', 'callers of the control socket are judged by what the kernel says of them')
    : warning(
        'walls',
        `callers of the control socket are not judged, and there is no session keyring of its own (${absence})`,
        mend,
      );

/** Why the code cache is not used. */
const UNCACHED = {
  absent: 'the build has left none',
  damaged: 'it is damaged, or not of this program',
  refused: 'it was made by another Node, or for other options of V8 (NODE_OPTIONS)',
} as const;

/** Checks the code cache; `build` tells how to create it. Without it everything works, but starts later. */
export const judgeCodeCache = (codeCache: keyof typeof UNCACHED | 'used', build: string): Finding =>
  codeCache === 'used'
    ? fine('code cache', 'sup starts from its code cache')
    : warning('code cache', `sup starts more slowly, without its code cache: ${UNCACHED[codeCache]}`, build);

export interface Strange {
  /** Files that root would execute although another user can change them; a sentence each. */
  readonly found: readonly string[];
  readonly mend: string;
}

const FIRST = 3;

/** Warns if root executes what another user can change; it still works. */
export const judgeTrust = ({ found, mend }: Strange): Finding =>
  found.length === 0
    ? fine('program owner', 'only root can change Node, sup, its addon and the directories of PATH')
    : warning(
        'program owner',
        `root executes what another user can change: ${listedText(found, FIRST)}`,
        mend,
      );
