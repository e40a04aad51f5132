// Which services are confined, and so may not command their supervisor (`docs/security.md`,
// "Who may speak to a supervisor"). The declaration counts, not whether the kernel applied it.
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** The user that the supervisor runs as. */
export interface OwnUser {
  readonly uid: number;
  /** The name of the user's account, if there is one. */
  readonly name?: string;
}

/** Keys that can confine a service, in a manifest or a resolved declaration. */
export interface Confining {
  readonly user?: string | undefined;
  readonly capabilities?: readonly unknown[] | undefined;
  readonly isolation?: object | undefined;
}

const isAnotherUser = (user: string | undefined, own: OwnUser | undefined): boolean =>
  user !== undefined &&
  (own === undefined ||
    !(user === String(own.uid) || user === own.name || (own.uid === 0 && user === 'root')));

const isolates = (isolation: object | undefined): boolean =>
  isolation !== undefined && Object.values(isolation).some((value) => value !== undefined && value !== false);

/** True if the service declares `capabilities`, `isolation`, or a `user` other than `own`. */
export const isConfined = ({ user, capabilities, isolation }: Confining, own?: OwnUser): boolean =>
  capabilities !== undefined || isolates(isolation) || isAnotherUser(user, own);

/** True if the service is confined and does not declare `control: true`. */
export const mayNotCommand = ({ control, privilege }: ServiceSpec, own: OwnUser): boolean =>
  control !== true && isConfined(privilege, own);
