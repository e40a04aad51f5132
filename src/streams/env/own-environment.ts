// The base of a service's environment: usually the supervisor's own. A service that runs as another user gets
// what a login would set. With `env.clean` it is only a `PATH` (`docs/behaviour.md`, "Environment").
import type { Account } from '../domain/account.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { serviceEnvironment, type Environment, type Identity } from './service-environment.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns the base. `account` is the account of the service; absent if it runs as the supervisor. */
export const ownEnvironmentFor = ({ env }: ServiceSpec, own: Environment, account?: Account): Environment => {
  if (account === undefined) return env.clean === true ? { PATH } : own;
  return env.inherit
    ? own
    : { PATH, HOME: account.home, USER: account.name, LOGNAME: account.name, SHELL: account.shell };
};

/** Returns the variables of a command for a run, by the account that the command runs as. */
export const commandEnvironment =
  (spec: ServiceSpec, own: Environment, identity: Identity) =>
  (account?: Account): Environment =>
    serviceEnvironment(spec, ownEnvironmentFor(spec, own, account), identity);
