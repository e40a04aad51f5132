// A table with its own `env`, which is decoded first; its variables apply to all other fields.
import type { Context, Decoder, EnvScope } from './decoder.ts';
import { enterScope } from '../env/env-scope.ts';
import { env } from '../env/env.ts';
import { mapped } from './by-shape.ts';

export interface Scoped<T> {
  readonly value: T;
  readonly scope: EnvScope;
}

/** The `env` field of such a table: described here, decoded by `inScope`. */
export const scopedEnv: Decoder<true> = { ...mapped(env, () => true as const), decode: () => true };

export const inScope = <T>(table: Decoder<T>): Decoder<Scoped<T>> => ({
  ...table,
  decode: (spot, context) => {
    const inner: Context = enterScope(spot, context);
    const value = table.decode(spot, inner);
    return value === undefined ? undefined : { value, scope: inner.scope };
  },
});
