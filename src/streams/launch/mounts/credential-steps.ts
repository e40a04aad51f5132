// The key `credentials`: files with secrets, in a file system in memory that only this service sees. The file
// system of each service is mounted over the same directory, but in a mount namespace of its own
// (`docs/security.md`, "Credentials").
import type { ServiceSpec } from '../../domain/declared/spec.ts';
import type { LaunchFacts } from '../launch-facts.ts';
import type { LaunchRefusal } from '../launch-refusal.ts';
import type { LandlockRule, LaunchStage, PlannedStep } from '../launch-step.ts';
import { usesUserNamespace } from '../namespace-steps.ts';

const KEY = 'credentials';

/** The maximum size of all credentials of one service together, in bytes. */
export const MOST_CREDENTIAL_BYTES = 1024 * 1024;

/** The environment variable that names the directory of the credentials. */
export const CREDENTIALS_DIRECTORY = 'CREDENTIALS_DIRECTORY';

/** Returns the path at which services see their credentials. With `--sys`, every user can reach this path. */
export const credentialsPlace = (dataDir: string, { sys }: { readonly sys: boolean }): string =>
  sys ? '/run/sup-credentials' : `${dataDir}/run/credentials`;

/** Returns the directory of the service's credentials; `undefined` if it declares none. */
export const credentialsOf = (
  { privilege: { credentials = {} } }: Pick<ServiceSpec, 'privilege'>,
  { credentialsAt }: LaunchFacts,
): string | undefined => (Object.keys(credentials).length === 0 ? undefined : credentialsAt);

/**
 * Returns the uid and gid that the service has on the machine; `undefined` if they are the supervisor's own.
 */
const ownerOf = ({ privileged, runsAs: { account, gid }, inside }: LaunchFacts) => {
  if (!privileged) return undefined;
  if (account !== undefined) return { uid: account.uid, gid: gid ?? account.gid };
  return inside === undefined
    ? { uid: 0, gid: gid ?? 0 }
    : { uid: inside.users.first, gid: gid ?? inside.groups.first };
};

/** Returns the step that mounts the credentials. It must come before the process changes its user. */
export const credentialSteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  const place = credentialsOf(spec, facts);
  if (place === undefined) return [];
  const files = Object.entries(spec.privilege.credentials ?? {}).map(([name, file]) => ({ name, file }));
  const owner = ownerOf(facts);
  return [
    {
      tag: 'credentials',
      place,
      files,
      sys: facts.privileged,
      ...(owner && { owner }),
      key: KEY,
      mayRefuse: [],
    },
  ];
};

/** Returns the Landlock rule that lets the service read its credentials. */
export const credentialRules = (spec: ServiceSpec, facts: LaunchFacts): readonly LandlockRule[] => {
  const path = credentialsOf(spec, facts);
  return path === undefined ? [] : [{ path, grant: 'read', key: KEY }];
};

/**
 * Returns the environment variable for the directory of the credentials, if these stages mount credentials.
 */
export const credentialVariables = (stages: readonly LaunchStage[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    stages
      .flat()
      .flatMap((step) => (step.tag === 'credentials' ? [[CREDENTIALS_DIRECTORY, step.place]] : [])),
  );

/** Refuses credentials if the supervisor cannot make a mount namespace for the service. */
export const unmountable = (spec: ServiceSpec, { privileged }: LaunchFacts): LaunchRefusal | undefined => {
  if (spec.privilege.credentials === undefined || privileged || usesUserNamespace(spec)) return undefined;
  const detail = `they need a mount namespace, which this supervisor cannot make: start it with --sys, or declare isolation.user: true`;
  return { code: 'ERR0125', key: KEY, detail };
};
