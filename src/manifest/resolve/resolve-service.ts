// Resolves a declared service to `ServiceSpec`: applies defaults, makes paths absolute, merges the `logs` of
// all levels.
import { resolve } from 'node:path';
import { serviceId, type ProjectId } from '../../streams/domain/ids.ts';
import type {
  Dependency,
  Launch,
  LogsSpec,
  ServiceSpec,
  SocketSpec,
} from '../../streams/domain/declared/spec.ts';
import type { logs } from '../decode/logs-status-metrics.ts';
import type { Scoped } from '../decode/merge-env-levels.ts';
import type { service } from '../decode/service-object.ts';
import type { sockets } from '../decode/listen-sockets.ts';
import type { ValueOf } from '../decode/shapes/decoder.ts';
import { present, resolveCron, resolveDeployment, resolveHooks, resolvePrivilege } from './service-parts.ts';

type Logs = ValueOf<typeof logs> | undefined;

/** The facts about a service that the manifest has outside the object of the service. */
interface ManifestContext {
  readonly project: ProjectId;
  readonly schema: 2 | 3;
  readonly manifest: string;
  readonly directory: string;
  /** The `logs` objects of all levels, outermost first. */
  readonly logs: readonly Logs[];
  /** The receivers of alerts of the manifest, one list for all services. */
  readonly alerts: ServiceSpec['alerts'];
}

type Declared = ValueOf<typeof service>;

const launchOf = ({ command, exec }: Declared): Launch =>
  exec === undefined ? { tag: 'shell', command: command ?? '' } : { tag: 'exec', argv: exec };

const innermost = (levels: readonly Logs[]): LogsSpec =>
  levels.reduce<LogsSpec>((outer, level) => ({ ...outer, ...level }), { sink: 'file' });

const resolveSockets = (
  declared: ValueOf<typeof sockets> | undefined,
  directory: string,
): readonly SocketSpec[] | undefined =>
  declared?.map(({ value: { name, listen, backlog } }) => ({
    name,
    listen: listen.tag === 'unix' ? { tag: 'unix', path: resolve(directory, listen.path) } : listen,
    backlog,
  }));

const resolveDependencies = ({ dependsOn = [] }: Declared, project: ProjectId): readonly Dependency[] =>
  dependsOn.map(({ value: { service, condition, required } }) => ({
    service: serviceId(project, service),
    condition,
    ...(!required && { required: false as const }),
  }));

/** Returns the settings that restart or signal a service although it runs well. */
const triggersOf = (
  { maxMemory, maxMemoryFor, watch: files }: Declared,
  directory: string,
): Pick<ServiceSpec, 'maxMemory' | 'maxMemoryFor' | 'watch'> => ({
  ...(maxMemory !== undefined && { maxMemory, maxMemoryFor }),
  ...(files && { watch: present({ ...files, paths: files.paths.map((path) => resolve(directory, path)) }) }),
});

const directoriesOf = (
  { workingDir = '.', stateDir }: Declared,
  directory: string,
): Pick<ServiceSpec, 'workingDir' | 'stateDir'> => ({
  workingDir: resolve(directory, workingDir),
  ...(stateDir && { stateDir: resolve(directory, stateDir.value) }),
});

export const resolveService = (
  name: string,
  { value: declared, scope }: Scoped<Declared>,
  { project, schema, manifest, directory, logs: around, alerts }: ManifestContext,
): Omit<ServiceSpec, 'digest'> =>
  present({
    id: serviceId(project, name),
    project,
    name,
    kind: declared.cron === undefined ? ('service' as const) : ('cron' as const),
    schema,
    manifest,
    directory,
    launch: launchOf(declared),
    ...directoriesOf(declared, directory),
    dependsOn: resolveDependencies(declared, project),
    env: scope.env,
    restartPolicy: declared.restartPolicy,
    backoff: declared.backoff,
    maxRestarts: declared.maxRestarts,
    successExitCodes: declared.successExitCodes,
    essential: declared.essential ? (true as const) : undefined,
    control: declared.control ? (true as const) : undefined,
    stopSignal: declared.stopSignal,
    stopTimeout: declared.stopTimeout,
    stopCommand: declared.stopCommand,
    ...triggersOf(declared, directory),
    reload: declared.reload,
    hooks: resolveHooks(declared.hooks),
    cron: declared.cron && resolveCron(declared.cron),
    deployment: resolveDeployment(declared.deployment, directory),
    logs: innermost([...around, declared.logs]),
    skip: declared.skip,
    spawn: { mode: declared.spawn.mode, ...declared.spawn.limits },
    privilege: resolvePrivilege(declared, directory),
    umask: declared.umask,
    runAs: declared.runAs,
    sockets: resolveSockets(declared.sockets, directory),
    alerts,
  });
