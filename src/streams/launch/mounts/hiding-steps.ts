// Hides the data directory and the directory of the control socket from a confined service: in its mount
// namespace both are empty and read-only (`docs/security.md`, "The hidden data directory"). If Linux refuses
// the namespace, the service starts without it: the control socket also refuses the requests of a confined
// service.
import type { ServiceSpec } from '../../domain/declared/spec.ts';
import { mayNotCommand } from '../confined.ts';
import { credentialsOf } from './credential-steps.ts';
import type { LaunchFacts } from '../launch-facts.ts';
import { usesUserNamespace } from '../namespace-steps.ts';
import type { LaunchRefusal } from '../launch-refusal.ts';
import type { PlannedStep } from '../launch-step.ts';

const REFUSALS = ['EPERM', 'EACCES', 'EINVAL', 'ENOSPC', 'EUSERS'];

/**
 * The text in the list `skipped_isolation` if Linux refused to hide the directories. It is no manifest key.
 */
const KEY = 'hidden data directory';

/** The names of the directories that the supervisor creates in the data directory. */
const SUPERVISORS = ['commands', 'logs', 'program', 'projects', 'run', 'units'];

const isBelow = (path: string, place: string): boolean => path.startsWith(`${place}/`);

interface Needed {
  readonly key: string;
  readonly path: string;
}

const neededBy = ({ workingDir, stateDir, launch, sockets = [] }: ServiceSpec): readonly Needed[] => [
  { key: 'working_dir', path: workingDir },
  ...(stateDir === undefined ? [] : [{ key: 'state_dir', path: stateDir }]),
  ...(launch.tag === 'exec' ? [{ key: 'exec', path: launch.argv[0] ?? '' }] : []),
  ...sockets.flatMap(({ listen }) => (listen.tag === 'unix' ? [{ key: 'sockets', path: listen.path }] : [])),
];

/**
 * True if the supervisor's directories must be hidden from the service. Only a confined service has hidden
 * directories. If the supervisor has no root privileges, the service must also have a user namespace, and its
 * `spawn.mode` must not be `dynamic`, because `dynamic` needs the control socket.
 */
const isHidden = (spec: ServiceSpec, { privileged, uid }: LaunchFacts): boolean =>
  mayNotCommand(spec, { uid }) && (privileged || (usesUserNamespace(spec) && spec.spawn.mode !== 'dynamic'));

/** Returns the step that hides the supervisor's directories from this service, if they are hidden from it. */
export const hidingSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const { hidden } = facts;
  if (hidden === undefined || !isHidden(spec, facts)) return [];
  const needed = [...neededBy(spec).map(({ path }) => path), credentialsOf(spec, facts) ?? ''];
  const kept = [...needed, ...hidden.kept].filter((path) =>
    hidden.places.some((place) => isBelow(path, place)),
  );
  return [{ tag: 'hide', places: hidden.places, kept: [...new Set(kept)], key: KEY, mayRefuse: REFUSALS }];
};

const isSupervisors = (path: string, place: string): boolean =>
  path === place || SUPERVISORS.some((name) => `${path}/`.startsWith(`${place}/${name}/`));

/** Refuses a service that needs a path in one of the supervisor's directories, if they are hidden from it. */
export const needsHidden = (spec: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined => {
  const { hidden } = facts;
  if (hidden === undefined || !isHidden(spec, facts)) return undefined;
  const needed = neededBy(spec).find(({ path }) => hidden.places.some((place) => isSupervisors(path, place)));
  if (needed === undefined) return undefined;
  const detail = `${needed.path} belongs to the supervisor, and is hidden from a confined service: move it, or declare control: true`;
  return { code: 'ERR0746', key: needed.key, detail };
};
