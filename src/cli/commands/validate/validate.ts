// `sup validate`: loads and checks the manifest as `start` does, with the environment of a running
// supervisor. Also warns of keys that cannot be applied without the C library. Exit status: 0 if the manifest
// is valid, 1 if not.
import type { Manifest, Problem } from '../../../streams/domain/declared/manifest.ts';
import { claimantOf, claims } from '../../../streams/kernel/manifest-claims.ts';
import { serviceTableOf } from '../../../streams/kernel/service-table.ts';
import { INITIAL_STATE } from '../../../streams/kernel/state.ts';
import { readRecorded } from '../../../client/recorded.ts';
import { declaredIn, type LoadPorts } from '../../../manifest/load.ts';
import { ClientFailure } from '../../../client/client-failure.ts';
import { type Context, type Handler, writtenDataDir } from '../../context.ts';
import { remark } from '../../print.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import {
  loadPorts,
  readingOf,
  registeredPath,
  supervisorEnvironment,
  whichManifest,
} from '../../../client/manifests/manifest-paths.ts';
import { manifestArgs, outputOf } from '../../manifest-argument.ts';
import { askedReading } from '../../offline/manifest-reading.ts';
import { type Calls, ownCalls } from '../doctor/libc-calls.ts';
import { thisMachine } from './this-machine.ts';
import { shownText } from '../../../streams/views/words/foreign-text.ts';
import { validateManifest } from './validate-manifest.ts';
import { INSTALL_FFI } from '../../../os/libc/libc.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import { LOOSE } from '../../../streams/domain/ids.ts';
import { keysThatNeedCalls } from '../../../streams/launch/keys-without-effect.ts';
import { distrustDataDirectory } from '../../../sources/store/data-directory.ts';

const placeOf = ({ project, name }: ServiceSpec): string =>
  `${project === LOOSE ? '' : `projects.${project}.`}services.${name}`;

/**
 * Returns a warning (ERR0741) for each service with keys that need the C library. `absence`: why the library
 * cannot be called.
 */
const undoneIn =
  ({ sys }: Pick<Context, 'sys'>, absence: string | undefined) =>
  ({ path, services }: Manifest): readonly Problem[] =>
    absence === undefined
      ? []
      : services
          .map((spec) => ({ place: placeOf(spec), keys: keysThatNeedCalls(spec, sys) }))
          .filter(({ keys }) => keys.length > 0)
          .map(({ place, keys }) => ({
            ...{ code: 'ERR0741', severity: 'warning', path: place, file: path, hint: INSTALL_FFI },
            message: `not carried out without calls to the C library (${absence}): ${keys.join(', ')}`,
          }));

type Environment = LoadPorts['environment'];

interface Answered {
  /** The variables for `${VAR}`. */
  readonly environment: Environment;
  readonly calls: Calls;
}

/**
 * Resolves to the environment of services, and to whether the C library can be called. If a supervisor runs,
 * both facts come from the supervisor, because it starts the services. If none runs, they are the facts for a
 * supervisor that this process would start. If a supervisor runs but does not answer, they are the facts for
 * this process.
 */
const answered = async (context: Context): Promise<Answered> => {
  const { dataDir, world } = context;
  try {
    const client = await connectIfRunning(dataDir);
    if (client === undefined)
      return { environment: supervisorEnvironment(world.environment, dataDir), calls: ownCalls() };
    const environment = await client.call('environment', {}).finally(() => client.close());
    return { environment, calls: { absence: client.hello.no_calls, isRunning: true } };
  } catch (thrown) {
    if (!(thrown instanceof ClientFailure)) throw thrown;
    remark(context, `note: checked with the variables of this shell: ${thrown.document.message}`);
    return { environment: world.environment, calls: ownCalls() };
  }
};

/**
 * Returns a function that returns a problem for each name in a manifest that a recorded service or another
 * registered manifest already has. With `--sys` it does not read a data directory that root cannot trust.
 */
const claimsOf =
  (context: Context, ports: LoadPorts) =>
  (manifest: Manifest): readonly Problem[] => {
    const written = writtenDataDir(context.sys, context.world);
    if (context.sys && distrustDataDirectory(context.dataDir, written) !== undefined) return [];
    const { services, projects, manifests } = readRecorded(context);
    const others = manifests.filter((path) => path !== manifest.path);
    const own = claimantOf(manifest);
    const recorded = { ...INITIAL_STATE, serviceTable: serviceTableOf(services), projects };
    const together = [...declaredIn(others, ports).map(claimantOf), own];
    const all = [...claims(recorded, [own], manifest), ...claims(INITIAL_STATE, together, manifest)];
    return all.filter(({ path }, place) => all.findIndex((one) => one.path === path) === place);
  };

export const validate: Handler = async (parsed, context) => {
  const args = { ...manifestArgs(parsed, context), json: context.json, quiet: context.quiet };
  const { environment, calls } = await answered(context);
  const shell = supervisorEnvironment(context.world.environment, context.dataDir);
  const knownAs = (path: string): string => registeredPath(path, context);
  const own = knownAs(whichManifest(args));
  const given = loadPorts(context);
  const readings = { ...given.readings, [own]: readingOf(own, askedReading(parsed, context), context) };
  const ports = { ...given, environment, readings };
  let valid: Manifest | undefined;
  const status = validateManifest(args, outputOf(context), {
    ...{ ...ports, shell, knownAs, machine: thisMachine() },
    onValid: (manifest) => void (valid = manifest),
    // A manifest from standard input may be a new version of a registered manifest, with the same names.
    // Therefore it is not checked whether its names are already used.
    ...(context.given === undefined && { claims: claimsOf(context, ports) }),
    undone: undoneIn(context, calls.absence),
  });
  if (!parsed.flags.has('test-alerts') || valid === undefined) return status;
  const { stdout, stderr } = context.world;
  const { testAlerts } = await import('./test-alerts.ts');
  return testAlerts(valid, context, (text) => (context.json ? stderr : stdout).write(`${shownText(text)}\n`));
};
