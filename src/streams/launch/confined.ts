// Which services are confined, and so may not command their supervisor (`docs/security.md`, "Who may speak to a
// supervisor"). What is declared counts, whether or not the kernel carried it out.
import type { IsolationSpec, ServiceSpec } from '../domain/declared/spec.ts';

/** The supervisor's own user. */
export interface OwnUser {
  readonly uid: number;
  /** The name of its account, if it has one. */
  readonly name?: string;
}

const isAnotherUser = (user: string | undefined, { uid, name }: OwnUser): boolean =>
  user !== undefined && user !== String(uid) && user !== name && !(uid === 0 && user === 'root');

const isolates = (isolation: IsolationSpec | undefined): boolean =>
  isolation !== undefined && Object.values(isolation).some((value) => value !== undefined && value !== false);

/** True if the service declares `capabilities`, `isolation` or another `user`. */
const isConfined = ({ privilege }: ServiceSpec, own: OwnUser): boolean =>
  privilege.capabilities !== undefined || isolates(privilege.isolation) || isAnotherUser(privilege.user, own);

/** True if the service is confined and its manifest does not say `control: true`. */
export const mayNotCommand = (spec: ServiceSpec, own: OwnUser): boolean =>
  spec.control !== true && isConfined(spec, own);
