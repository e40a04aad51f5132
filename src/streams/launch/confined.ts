// Decides which services are confined, and so may not send commands to their supervisor (`docs/security.md`,
// "Who may speak to a supervisor"). What counts is the declaration, not whether the kernel applied it.
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** The supervisor's own user. */
export interface OwnUser {
  readonly uid: number;
  /** The name of its account, if it has one. */
  readonly name?: string;
}

/** The keys that confine a service. A manifest and a resolved declaration both have them. */
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

/**
 * True if `capabilities`, `isolation` or a `user` other than `own` is declared. Without `own`, any `user`
 * confines.
 */
export const isConfined = ({ user, capabilities, isolation }: Confining, own?: OwnUser): boolean =>
  capabilities !== undefined || isolates(isolation) || isAnotherUser(user, own);

/** True if the service is confined and its manifest does not declare `control: true`. */
export const mayNotCommand = ({ control, privilege }: ServiceSpec, own: OwnUser): boolean =>
  control !== true && isConfined(privilege, own);
