// Declares the shape of the manifest. A decoder reads a node, reports what is wrong with it, and describes
// itself as JSON Schema. Tables of decoders (`object.ts`) are the one source of truth for loading, for
// `sup schema` and for docs/manifest.md. The values that they return are the shape "as declared" from which
// resolving starts.
import { type Mistake, type ProblemReport, shown } from '../../check/problem-report.ts';
import { below, childOf, type Node, type SourcePlace, positionOf } from '../../read/node.ts';
import type { Reader } from '../../read/read-file.ts';
import type { EnvSpec } from '../../../streams/domain/declared/spec.ts';
import type { Lookup } from '../../../streams/env/expand.ts';

/** A node to be decoded. */
export interface Spot {
  readonly node: Node;
  /** Dotted path in the assembled manifest. */
  readonly path: string;
  /** The place of its key. */
  readonly keyAt?: SourcePlace;
}

/** The variables in force at a place of the manifest. */
export interface EnvScope {
  /** The env objects down to here, merged. */
  readonly env: EnvSpec;
  /** Looks up their variables, then the supervisor's own environment. */
  readonly lookup: Lookup;
  /** Names with a refused value, here or in an outer scope: each is reported once, at its place. */
  readonly failed: ReadonlySet<string>;
}

/** What decoding needs besides the node. */
export interface DecodeContext {
  readonly report: ProblemReport;
  /** The variables to which `${VAR}` refers here. */
  readonly scope: EnvScope;
  readonly schema: 2 | 3;
  /** The reading user; with `--sys` privileged keys have effect. */
  readonly reader: Reader;
  /** Decoded defaults, so that each is decoded once a load. */
  readonly defaults: Map<object, unknown>;
  /** The manifest's directory: relative paths start here. */
  readonly directory: string;
  /** The budget of the whole load. */
  readonly expansion: Expansion;
}

/** The budget for expanded text, in characters: a short manifest can expand to any amount. */
interface Expansion {
  left: number;
}

export const startExpansion = (): Expansion => ({ left: 32 * 1024 * 1024 });

export type JsonSchema = Readonly<Record<string, unknown>>;
/** Named parts of the schema, collected while it is built. */
export type Definitions = Map<string, JsonSchema>;

export interface Decoder<T> {
  /** The value; `undefined` if something is wrong, which is reported. */
  readonly decode: (spot: Spot, context: DecodeContext) => T | undefined;
  readonly schema: (definitions: Definitions) => JsonSchema;
  /** The accepted type in words: `duration`, `list of names`. */
  readonly label: string;
}

/** Reports a problem at the value. */
export const reportAt = (spot: Spot, context: DecodeContext, finding: Mistake): void =>
  context.report.add({ path: spot.path, place: spot.node }, finding);

/** True if the budget allows so much more text. The first excess is reported, which fails the load. */
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

/** Reports a problem at the key, if there is one. */
export const reportAtKey = (spot: Spot, context: DecodeContext, finding: Mistake): void =>
  context.report.add({ path: spot.path, place: spot.keyAt ?? spot.node }, finding);

/** The spot of a key's value; that of the table if the key is missing. */
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
