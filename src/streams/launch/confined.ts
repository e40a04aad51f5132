// Which services are confined, and so may not command their supervisor (`docs/security.md`, "Who may speak to a
// supervisor"). What is declared counts, whether or not the kernel carried it out.
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** The supervisor's own user. */
export interface OwnUser {
  readonly uid: number;
  /** The name of its account, if it has one. */
  readonly name?: string;
}

/** The keys that confine, of a manifest and of a spec alike. */
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

/** True if `capabilities`, `isolation` or another `user` is declared. Without `own` every `user` is another one. */
export const isConfined = ({ user, capabilities, isolation }: Confining, own?: OwnUser): boolean =>
  capabilities !== undefined || isolates(isolation) || isAnotherUser(user, own);

/** True if the service is confined and its manifest does not say `control: true`. */
export const mayNotCommand = ({ control, privilege }: ServiceSpec, own: OwnUser): boolean =>
  control !== true && isConfined(privilege, own);
