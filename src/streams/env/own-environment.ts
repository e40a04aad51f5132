// What a service's environment is made upon: the supervisor's own, or, for a service that runs as somebody else, nothing
// but what a login would give, or, with `env.clean`, nothing but a `PATH` (`docs/behaviour.md`, "Environment").
import type { Account } from '../domain/account.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { serviceEnvironment, type Environment, type Identity } from './service-environment.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** `account`: whom it runs as; absent: as the supervisor does. */
export const ownEnvironmentFor = ({ env }: ServiceSpec, own: Environment, account?: Account): Environment => {
  if (account === undefined) return env.clean === true ? { PATH } : own;
  return env.inherit
    ? own
    : { PATH, HOME: account.home, USER: account.name, LOGNAME: account.name, SHELL: account.shell };
};

/** The variables of a command on behalf of a run, for the account that the command runs as. */
export const commandEnvironment =
  (spec: ServiceSpec, own: Environment, identity: Identity) =>
  (account?: Account): Environment =>
    serviceEnvironment(spec, ownEnvironmentFor(spec, own, account), identity);
