// What a declaration of the manifest's shape is made of: a decoder knows how to read a node, how to tell what is wrong
// with it, and how to describe itself as JSON Schema. Tables of decoders (`object.ts`) are the one source of truth for
// loading, for `sup schema` and for docs/manifest.md.
import type { EnvSpec } from '../../../streams/domain/declared/spec.ts';
import type { Lookup } from '../../../streams/env/expand.ts';
import { below } from '../../check/dotted-path.ts';
import { childOf, type Place, type Node } from '../../read/node.ts';
import type { Reader } from '../../read/read-file.ts';
import type { Finding, Report } from '../../check/report.ts';

/** A node on its way to a value. */
export interface Spot {
  readonly node: Node;
  /** Dotted path in the assembled manifest. */
  readonly path: string;
  /** Where the key stands that holds it. */
  readonly keyAt?: Place;
}

/** The variables in force at a place of the manifest. */
export interface EnvScope {
  /** The env objects down to here, merged. */
  readonly env: EnvSpec;
  /** Their variables, then the supervisor's own environment. */
  readonly lookup: Lookup;
  /** Names whose value was refused, here or outside: that is told once, where it stands. */
  readonly failed: ReadonlySet<string>;
}

/** What decoding needs to know beside the node. */
export interface Context {
  readonly report: Report;
  /** The variables that `${VAR}` means here. */
  readonly scope: EnvScope;
  readonly schema: 2 | 3;
  /** Who loads; with `--sys` privileged keys have effect. */
  readonly reader: Reader;
  /** Values of the defaults that were needed so far: each is read once a load. */
  readonly defaults: Map<object, unknown>;
  /** The manifest's: relative paths start here. */
  readonly directory: string;
  /** Of the whole load. */
  readonly expansion: Expansion;
}

/** Text that came of variables: how much more there may be, in characters. A short manifest can make any amount of it. */
interface Expansion {
  left: number;
}

export const startExpansion = (): Expansion => ({ left: 32 * 1024 * 1024 });

export type JsonSchema = Readonly<Record<string, unknown>>;
/** Named parts of the schema, collected while it is built. */
export type Definitions = Map<string, JsonSchema>;

export interface Decoder<T> {
  /** The value; `undefined` when something is wrong, which is then reported. */
  readonly decode: (spot: Spot, context: Context) => T | undefined;
  readonly schema: (definitions: Definitions) => JsonSchema;
  /** What it takes, in words: `duration`, `list of names`. */
  readonly label: string;
}

/** Reports at the value. */
export const complain = (spot: Spot, context: Context, finding: Finding): void =>
  context.report.add({ path: spot.path, place: spot.node }, finding);

/** Whether there may be so much text more; the first that there may not be is reported, which ends the load. */
export const mayExpand = (length: number, spot: Spot, context: Context): boolean => {
  const { expansion } = context;
  const before = expansion.left;
  expansion.left -= length;
  if (expansion.left >= 0) return true;
  if (before >= 0)
    complain(spot, context, {
      code: 'ERR0209',
      message: 'the manifest has more than 32 MiB of text once its variables are expanded',
    });
  return false;
};

/** Reports at the key, where there is one. */
export const complainAtKey = (spot: Spot, context: Context, finding: Finding): void =>
  context.report.add({ path: spot.path, place: spot.keyAt ?? spot.node }, finding);

/** The spot of a key's value; that of the table where the key is missing. */
export const spotBelow = (spot: Spot, key: string): Spot => {
  const entry = childOf(spot.node, key);
  const path = below(spot.path, key);
  return entry === undefined ? { ...spot, path } : { node: entry.value, path, keyAt: entry.keyAt };
};
