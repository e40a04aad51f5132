// A decoder reads a node of the manifest, reports what is wrong, and describes the valid form as JSON Schema.
// Tables of decoders (`object.ts`) are the only definition of the manifest: for loading, `sup schema` and
// docs/manifest.md.
import { type Mistake, type ProblemReport, shown } from '../../check/problem-report.ts';
import { below, childOf, type Node, type SourcePlace, positionOf } from '../../read/node.ts';
import type { Reader } from '../../read/reader.ts';
import type { EnvSpec } from '../../../streams/domain/declared/spec.ts';
import type { Lookup } from '../../../streams/env/expand-references.ts';

/** A node and its place in the manifest. */
export interface Spot {
  readonly node: Node;
  /** The dotted path of the node in the assembled manifest. */
  readonly path: string;
  /** The place of the node's key in the file. */
  readonly keyAt?: SourcePlace;
}

/** The variables that `${VAR}` may refer to at a place of the manifest. */
export interface EnvScope {
  /** The env objects from the top level to this place, merged. */
  readonly env: EnvSpec;
  /** Returns a variable from the env objects, or else the supervisor's environment. */
  readonly lookup: Lookup;
  /** Variables with values that were refused where they are set; references to them are not reported. */
  readonly failed: ReadonlySet<string>;
}

/** What a decoder needs besides the node. */
export interface DecodeContext {
  readonly report: ProblemReport;
  readonly scope: EnvScope;
  readonly schema: 2 | 3;
  /** The user that reads the manifest, and whether privileged keys have an effect (`--sys`). */
  readonly reader: Reader;
  /** Decoded default values of keys, each decoded only once per load. */
  readonly defaults: Map<object, unknown>;
  /** The directory of the manifest, the base of relative paths. */
  readonly directory: string;
  /** The limit for expanded text, for the whole load. */
  readonly expansion: Expansion;
}

/**
 * The number of characters that expansion may still add. It is limited because a short manifest could expand
 * to a text of any size.
 */
interface Expansion {
  left: number;
}

export const startExpansion = (): Expansion => ({ left: 32 * 1024 * 1024 });

export type JsonSchema = Readonly<Record<string, unknown>>;
/** Named parts of the JSON Schema, collected while it is built. */
export type Definitions = Map<string, JsonSchema>;

export interface Decoder<T> {
  /** Returns the decoded value, or reports what is wrong. */
  readonly decode: (spot: Spot, context: DecodeContext) => T | undefined;
  readonly schema: (definitions: Definitions) => JsonSchema;
  /** The accepted type in words for users: `duration`, `list of names`. */
  readonly label: string;
}

/** Reports a problem at the place of the value. */
export const reportAt = (spot: Spot, context: DecodeContext, finding: Mistake): void =>
  context.report.add({ path: spot.path, place: spot.node }, finding);

/**
 * Subtracts `length` from the limit for expanded text. If the limit is exceeded, reports an error and returns
 * false.
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

/**
 * Reports a problem at the place of the key. If this place is not known, reports it at the place of the
 * value.
 */
export const reportAtKey = (spot: Spot, context: DecodeContext, finding: Mistake): void =>
  context.report.add({ path: spot.path, place: spot.keyAt ?? spot.node }, finding);

/** Returns the place of a key's value, or the place of the object if the key is missing. */
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
