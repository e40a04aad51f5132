// Declares the form of the manifest. A decoder reads a node, reports what is wrong with it, and describes
// itself as JSON Schema. Tables of decoders (`object.ts`) are the only definition of the manifest: for
// loading, for `sup schema` and for docs/manifest.md. Loading resolves the values that they return.
import { type Mistake, type ProblemReport, shown } from '../../check/problem-report.ts';
import { below, childOf, type Node, type SourcePlace, positionOf } from '../../read/node.ts';
import type { Reader } from '../../read/read-file.ts';
import type { EnvSpec } from '../../../streams/domain/declared/spec.ts';
import type { Lookup } from '../../../streams/env/expand.ts';

/** A node to be decoded, and where it is in the manifest. */
export interface Spot {
  readonly node: Node;
  /** Dotted path in the assembled manifest. */
  readonly path: string;
  /** The place of its key in the file. */
  readonly keyAt?: SourcePlace;
}

/** The variables that are valid at a place of the manifest. */
export interface EnvScope {
  /** The env objects from the root down to this place, merged. */
  readonly env: EnvSpec;
  /** Returns the value of a variable: from the env objects, or else from the supervisor's own environment. */
  readonly lookup: Lookup;
  /**
   * Names of variables with a refused value, here or in an outer scope. Each is reported once, where it is
   * set.
   */
  readonly failed: ReadonlySet<string>;
}

/** What decoding needs besides the node. */
export interface DecodeContext {
  readonly report: ProblemReport;
  /** The variables to which `${VAR}` refers at this place. */
  readonly scope: EnvScope;
  readonly schema: 2 | 3;
  /** The user that reads the manifest, and whether privileged keys have an effect (`--sys`). */
  readonly reader: Reader;
  /** Decoded default values, so that each is decoded only once per load. */
  readonly defaults: Map<object, unknown>;
  /** The manifest's directory, to which relative paths refer. */
  readonly directory: string;
  /** How much more text the whole load may expand to. */
  readonly expansion: Expansion;
}

/**
 * The characters of expanded text that a load has left. Without a limit, a short manifest could expand to any
 * size.
 */
interface Expansion {
  left: number;
}

export const startExpansion = (): Expansion => ({ left: 32 * 1024 * 1024 });

export type JsonSchema = Readonly<Record<string, unknown>>;
/** Named parts of the schema, collected while it is built. */
export type Definitions = Map<string, JsonSchema>;

export interface Decoder<T> {
  /** Returns the value; `undefined` if something is wrong, which is then reported. */
  readonly decode: (spot: Spot, context: DecodeContext) => T | undefined;
  readonly schema: (definitions: Definitions) => JsonSchema;
  /** The accepted type in words: `duration`, `list of names`. */
  readonly label: string;
}

/** Reports a problem at the value. */
export const reportAt = (spot: Spot, context: DecodeContext, finding: Mistake): void =>
  context.report.add({ path: spot.path, place: spot.node }, finding);

/**
 * Takes `length` characters from the limit of expanded text. False if the limit is exceeded; the first time
 * that is reported, which makes the load fail.
 */
export const mayExpand = (length: number, spot: Spot, context: DecodeContext): boolean => {
  const { expansion } = context;
  const before = expansion.left;
  expansion.left -= length;
  if (expansion.left >= 0) return true;
  if (before >= 0)
    reportAt(spot, context, {
      code: 'ERR0209',
      message: 'the manifest has more than 32 MiB of text once its variables are expanded',
    });
  return false;
};

/** Reports a problem at the key; at the value if there is no key. */
export const reportAtKey = (spot: Spot, context: DecodeContext, finding: Mistake): void =>
  context.report.add({ path: spot.path, place: spot.keyAt ?? spot.node }, finding);

/** Returns the spot of a key's value. If the key is missing, its place is that of the object. */
export const spotBelow = (spot: Spot, key: string): Spot => {
  const entry = childOf(spot.node, key);
  const path = below(spot.path, key);
  return entry === undefined ? { ...spot, path } : { node: entry.value, path, keyAt: entry.keyAt };
};

const placeOf = ({ node: { file, offset } }: Spot): string => {
  const { line, column } = positionOf({ file, offset });
  return [file.path, line, column].join(':');
};

export const standsAlready = (known: Spot, at: Spot): string =>
  `${shown(at.node)} stands at ${known.path} already, ${placeOf(known)}`;

export type ValueOf<D> = D extends Decoder<infer T> ? T : never;
