// Checks what `sup` itself needs: Node, the addon that calls the C library, the owner of the program files,
// and the code cache.
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import { type Calls, callsOf } from './libc-calls.ts';
import { readRecorded } from '../../../client/recorded.ts';
import type { World } from '../../process-ports.ts';
import type { AddonOrigin } from '../../../os/libc/addon.ts';
import { type OpenedLibc, openLibc } from '../../../os/libc/libc.ts';
import { listedText } from '../../../streams/domain/listed-text.ts';
import { undoneText } from '../../../streams/views/words/undone-text.ts';
import {
  type Installation,
  installationOf,
  mendInstallation,
} from '../../../supervisor/loader/installation.ts';
import {
  MEND_PATH,
  mendProgram,
  untrustedPath,
  untrustedProgram,
} from '../../../supervisor/loader/program-trust.ts';
import type { Context } from '../../context.ts';

type Version = readonly [major: number, minor: number];

/** Parses texts such as `6.12.117+deb12-cloud-amd64` and `v20.19.2`; returns 0.0 for any other text. */
const versionOf = (text: string): Version => {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major), Number(minor)];
};

/** True if the version in `text` is at least `major.minor`. The patch number is not compared. */
export const isAtLeast = (text: string, [major, minor]: Version): boolean => {
  const [ownMajor, ownMinor] = versionOf(text);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

const OLDEST = [20, 19] as const;

/** Checks the version of Node. `version` has the form of `process.version`; `path`: the file of Node. */
export const judgeNode = (version: string, path: string): Finding =>
  isAtLeast(version, OLDEST)
    ? fine('node', `Node ${version} (${path})`)
    : problem(
        'node',
        `Node ${version} (${path}) is older than ${OLDEST.join('.')}`,
        `install Node ${OLDEST.join('.')} or later`,
      );

/** What does not work without the addon, as part of a sentence. */
const WITHOUT =
  'services with user, limits, capabilities or isolation are refused (ERR0745), sockets cannot be handed to services';

interface Lack {
  /** Advice on how to make calls to the C library possible. */
  readonly mend: string;
  /** Keys of registered services that are not applied without the addon; absent if there are none. */
  readonly undone?: string | undefined;
  /** The addon that this process loads; absent if it loads none. */
  readonly origin?: AddonOrigin | undefined;
}

/** Reports how and where sup was installed. */
const judgeInstallation = ({ kind, directory }: Installation): Finding =>
  fine('installation', `${kind === 'clone' ? 'a clone' : `the ${kind} package`}, in ${directory}`);

/** Reports which addon calls the C library: the prebuilt addon of the package, or one that npm compiled. */
const judgeOrigin = (origin: AddonOrigin | undefined, mend: string): Finding => {
  const works = 'calls to the C library work';
  if (origin === undefined) return fine('ffi', works);
  const through = `${works}, through the ${origin.kind} addon ${origin.path}`;
  return origin.refused === undefined
    ? fine('ffi', through)
    : warning('ffi', `${through}; the prebuilt one is not used: ${origin.refused}`, mend);
};

/** Checks whether the C library can be called. `absence`: why it cannot; `undefined` if it can. */
export const judgeFfi = (absence: string | undefined, { mend, undone, origin }: Lack): Finding =>
  absence === undefined
    ? judgeOrigin(origin, mend)
    : warning(
        'ffi',
        `no calls to the C library (${absence}): ${undone === undefined ? WITHOUT : `not carried out: ${undone}`}`,
        mend,
      );

/**
 * Checks the protections that need the C library. `absence`: why it cannot be called; `undefined` if it can.
 */
export const judgeWalls = (absence: string | undefined, mend: string): Finding =>
  absence === undefined
    ? fine('walls', 'callers of the control socket are judged by what the kernel says of them')
    : warning(
        'walls',
        `callers of the control socket are not judged, and there is no session keyring of its own (${absence})`,
        mend,
      );

/** Sentences for the reasons why the code cache is not used. */
const UNCACHED = {
  absent: 'the build has left none',
  damaged: 'it is damaged, or not of this program',
  refused: 'it was made by another Node, or for other options of V8 (NODE_OPTIONS)',
} as const;

/**
 * Checks the code cache, without which `sup` works but starts more slowly. `build`: advice on how to create
 * the cache. The npm package has no cache, because a cache fits only one version of Node.
 */
export const judgeCodeCache = (
  codeCache: keyof typeof UNCACHED | 'used',
  build: string,
  kind: Installation['kind'] = 'clone',
): Finding =>
  codeCache === 'used'
    ? fine('code cache', 'sup starts from its code cache')
    : kind === 'npm' && codeCache === 'absent'
      ? fine('code cache', 'the npm package has none: it is for any Node')
      : warning(
          'code cache',
          `sup starts more slowly, without its code cache: ${UNCACHED[codeCache]}`,
          build,
        );

interface Strange {
  /** Sentences about files that root would execute although another user can change them. */
  readonly found: readonly string[];
  readonly mend: string;
}

const FIRST = 3;

/** Warns if root would execute a file that another user can change. `sup` works nevertheless. */
const judgeTrust = ({ found, mend }: Strange): Finding =>
  found.length === 0
    ? fine('program owner', 'only root can change Node, sup, its addon and the directories of PATH')
    : warning(
        'program owner',
        `root executes what another user can change: ${listedText(found, FIRST)}`,
        mend,
      );

const strange = ({ supervisor: script, environment }: World): Strange => {
  const program = untrustedProgram({ node: process.execPath, script });
  const path = untrustedPath(environment['PATH'] ?? '');
  return { found: [...program, ...path], mend: program.length > 0 ? mendProgram(script) : MEND_PATH };
};

/**
 * Returns advice on how to make calls to the C library possible: to restart the supervisor if the addon was
 * installed after its start, otherwise to install the addon.
 */
const mendCalls = ({ absence, isRunning }: Calls, opened: OpenedLibc, installation: Installation): string =>
  isRunning && absence !== undefined && opened.tag === 'open'
    ? 'sup shutdown, then sup start: the next supervisor finds the addon'
    : mendInstallation(installation, 'addon');

interface ProgramFacts {
  readonly installation: Installation;
  /** Version of Node, in the form of `process.version`. */
  readonly node: string;
  /** Why the C library cannot be called; `undefined` if it can. */
  readonly absence: string | undefined;
  readonly lack: Lack;
  readonly codeCache: Parameters<typeof judgeCodeCache>[0];
  /** Advice on how to create the code cache. */
  readonly build: string;
  /** Untrusted files and directories; present only with `--sys`. */
  readonly strange?: Strange;
}

const look = async (context: Context): Promise<ProgramFacts> => {
  const { world, sys } = context;
  const calls = await callsOf(context);
  const specs = readRecorded(context).services.map(({ spec }) => spec);
  const installation = installationOf(world.supervisor);
  const opened = openLibc();
  return {
    installation,
    node: process.version,
    absence: calls.absence,
    lack: {
      mend: mendCalls(calls, opened, installation),
      undone: undoneText(specs, sys),
      origin: opened.tag === 'open' ? opened.origin : undefined,
    },
    codeCache: world.codeCache,
    build: mendInstallation(installation, 'build'),
    ...(sys && { strange: strange(world) }),
  };
};

const judge = ({
  installation,
  node,
  absence,
  lack,
  codeCache,
  build,
  strange: found,
}: ProgramFacts): readonly Finding[] => [
  judgeInstallation(installation),
  judgeNode(node, process.execPath),
  judgeFfi(absence, lack),
  judgeWalls(absence, lack.mend),
  judgeCodeCache(codeCache, build, installation.kind),
  ...(found === undefined ? [] : [judgeTrust(found)]),
];

export const programs = checkOf('programs', { look, judge });
