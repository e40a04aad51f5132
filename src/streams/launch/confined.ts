// Decides which services are confined. A confined service may not command its supervisor. Only the
// declaration decides, even if Linux could not apply it.
// Rules: `docs/security.md`,
// "Who may speak to a supervisor".
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** The user as which the supervisor runs. */
export interface OwnUser {
  readonly uid: number;
  /** The name of the user's account. Absent if there is none. */
  readonly name?: string;
}

/** The keys that can confine a service, in the form of a manifest or of a resolved declaration. */
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

/** True if the service declares `capabilities`, `isolation`, or another `user` than `own`. */
export const isConfined = ({ user, capabilities, isolation }: Confining, own?: OwnUser): boolean =>
  capabilities !== undefined || isolates(isolation) || isAnotherUser(user, own);

/** True if the service is confined and does not declare `control: true`. */
export const mayNotCommand = ({ control, privilege }: ServiceSpec, own: OwnUser): boolean =>
  control !== true && isConfined(privilege, own);
