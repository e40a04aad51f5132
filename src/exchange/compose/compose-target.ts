// The context that the rows of the Compose table get for a service that is exported. Further functions write
// texts and commands as Compose needs them.
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { ComposeService } from './compose-service.ts';
import type { Plain, KeyRow } from '../key-table.ts';

export interface ComposeTarget {
  readonly spec: ServiceSpec;
  readonly replicas?: number;
  readonly image?: string;
  readonly profiles?: readonly string[];
  /** Returns the name of a service in the Compose file. */
  readonly nameOf: (id: ServiceId) => string;
  /** True if the service has a health check that Compose can run. */
  readonly isChecked: (id: ServiceId) => boolean;
  /** Returns the name that a secret of a service has at the top level of the Compose file. */
  readonly secretOf: (name: string, file: string) => string;
}

export type ComposeRow = KeyRow<ComposeService, ComposeTarget>;

/** Returns the text with each `$` doubled, so that Compose replaces no variable in it. */
export const withDollars = (text: string): string => text.replaceAll('$', '$$$$');

/** Returns the argument list that runs a line in a shell. */
export const shellWords = (line: string): readonly string[] => ['sh', '-c', withDollars(line)];

/** Returns a translation with the keys for a value; an empty translation if the value is `undefined`. */
export const ifPresent = <T>(
  value: T | undefined,
  keys: (value: T) => Readonly<Record<string, Plain>>,
): { readonly keys?: Readonly<Record<string, Plain>> } => (value === undefined ? {} : { keys: keys(value) });
