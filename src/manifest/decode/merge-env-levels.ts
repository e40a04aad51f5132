// Resolves `env` at the top level, in a project or in a service. A variable comes from the innermost `env`
// that sets it, or from the supervisor's environment (`docs/manifest.md`, "env"). The other keys are decoded
// with these variables.
// Rules: `docs/behaviour.md`, "Environment".
import { printable } from '../check/problem-report.ts';
import { env, readEnvFile } from './env-object.ts';
import { secretFiles } from './env-secrets.ts';
import { reportFaults } from './scalars/scalar.ts';
import { type Located, mapped } from './shapes/composite.ts';
import {
  reportAt,
  reportAtKey,
  type DecodeContext,
  type Decoder,
  type EnvScope,
  mayExpand,
  type Spot,
  spotBelow,
} from './shapes/decoder.ts';
import { childOf, keysOf } from '../read/node.ts';
import type { EnvSpec } from '../../streams/domain/declared/spec.ts';
import { evaluateLevel, type ExpansionFailure } from '../../streams/env/expand-env-object.ts';
import { OWN_VARIABLES } from '../../streams/env/service-environment.ts';

type Environment = Readonly<Record<string, string>>;

const found = (vars: Environment, name: string): string | undefined =>
  Object.hasOwn(vars, name) ? vars[name] : undefined;

/** True for the name of a secret. `${VAR}` sees neither the secret nor an outer variable of this name. */
const isSecret = ({ secrets = {} }: Pick<EnvSpec, 'secrets'>, name: string): boolean =>
  Object.hasOwn(secrets, name);

const scopeOf = (merged: EnvSpec, { lookup, failed }: Pick<EnvScope, 'lookup' | 'failed'>): EnvScope => ({
  env: merged,
  lookup: (name) => found(merged.vars, name) ?? (isSecret(merged, name) ? undefined : lookup(name)),
  failed,
});

/** Returns the outermost scope: the variables of the supervisor's environment. */
export const outermost = (environment: Environment, asked?: (name: string) => void): EnvScope =>
  scopeOf(
    { vars: {}, inherit: false, clearSession: true, strip: [] },
    {
      lookup: (name) => {
        asked?.(name);
        return found(environment, name);
      },
      failed: new Set(),
    },
  );

const reportVariable = (
  failure: ExpansionFailure,
  { spot, value }: Located<string>,
  context: DecodeContext,
): void => {
  switch (failure.tag) {
    case 'follows':
      return;
    case 'cycle': {
      const loop = printable(failure.names.join(' → '));
      const message = `the variables refer to each other: ${loop}`;
      return reportAt(spot, context, { code: 'ERR0216', message });
    }
    case 'too-deep': {
      const message = `variables use one another more than ${failure.most} deep`;
      return reportAt(spot, context, { code: 'ERR0216', message });
    }
    case 'failed':
      return reportFaults(failure.faults, value, { spot, context });
  }
};

/** Warns if `env` sets variables that the supervisor always sets itself. */
const warnOfOwn = (vars: Vars, context: DecodeContext): void => {
  for (const name of OWN_VARIABLES) {
    const at = vars.get(name)?.spot;
    if (at === undefined) continue;
    const message = 'has no effect: the supervisor sets this variable itself';
    reportAtKey(at, context, { code: 'ERR0223', severity: 'warning', message });
  }
};

const NO_FILE: ReturnType<typeof readEnvFile> = { vars: {}, failed: [] };

type Vars = ReadonlyMap<string, Located<string>>;

/** Returns outer variables without those that `strip` removes. */
const inherited = (vars: Environment, strip: readonly string[]): Environment =>
  strip.some((name) => Object.hasOwn(vars, name))
    ? Object.fromEntries(Object.entries(vars).filter(([name]) => !strip.includes(name)))
    : vars;

const lengthOf = (values: Environment): number =>
  Object.values(values).reduce((length, value) => length + value.length, 0);

interface Level {
  readonly vars: Vars;
  readonly file: Environment;
  readonly outer: Environment;
}

interface Variables {
  readonly vars: Environment;
  readonly failed: EnvScope['failed'];
}

/** Returns the variables of this level and of outer levels; `outer` itself if this level sets no variable. */
const levelVars = ({ vars, file, outer }: Level, spot: Spot, context: DecodeContext): Variables => {
  const { lookup, failed } = context.scope;
  if (vars.size === 0 && Object.keys(file).length === 0) return { vars: outer, failed };
  const texts = new Map([...vars].map(([name, { value }]) => [name, value]));
  const { values, failures } = evaluateLevel({ vars: texts, file }, lookup);
  for (const [name, failure] of failures) {
    const variable = vars.get(name);
    if (variable !== undefined) reportVariable(failure, variable, context);
  }
  const own = mayExpand(lengthOf(values), spot, context) ? { ...file, ...values } : {};
  return { vars: { ...outer, ...own }, failed: new Set([...failed, ...failures.keys()]) };
};

/** Returns the names of the variables that could not be decoded. `spot`: the env object. */
const undecoded = ({ node }: Spot, vars: Vars): readonly string[] =>
  keysOf(childOf(node, 'vars')?.value).filter((name) => !vars.has(name));

/**
 * Returns a context in which these variables count as failed. References to failed variables are not
 * reported.
 */
const withFailed = (context: DecodeContext, names: readonly string[]): DecodeContext =>
  names.length === 0
    ? context
    : { ...context, scope: { ...context.scope, failed: new Set([...context.scope.failed, ...names]) } };

/** Returns a context in which `${VAR}` does not see variables with the names of these secrets. */
const withoutSecrets = (context: DecodeContext, secrets: Own['secrets']): DecodeContext => {
  const { scope } = context;
  const lookup: EnvScope['lookup'] = (name) => (isSecret({ secrets }, name) ? undefined : scope.lookup(name));
  const env = { ...scope.env, secrets: { ...scope.env.secrets, ...secrets } };
  return Object.keys(secrets).length === 0 ? context : { ...context, scope: { ...scope, env, lookup } };
};

/** Refuses `clean` together with `inherit_env`: they contradict each other, even at different levels. */
const refuseInheritedAndClean = ({ inherit, clean }: EnvSpec, spot: Spot, context: DecodeContext): void => {
  if (!inherit || clean === undefined) return;
  const at = ['clean', 'inherit_env'].find((key) => childOf(spot.node, key) !== undefined);
  if (at === undefined) return;
  const message = 'inherit_env: true and clean: true exclude each other, also where an outer env sets one';
  reportAtKey(spotBelow(spot, at), context, { code: 'ERR0222', message });
};

type Declared = NonNullable<ReturnType<typeof env.decode>>;

/**
 * Returns the secrets of this level, and the outer secrets that this level neither strips nor sets itself.
 */
const mergedSecrets = (outer: EnvSpec, own: Own): EnvSpec['secrets'] | undefined => {
  const isKept = ([name]: readonly [string, string]): boolean =>
    !own.strip.includes(name) && !own.vars.has(name) && !Object.hasOwn(own.file, name);
  const merged = {
    ...Object.fromEntries(Object.entries(outer.secrets ?? {}).filter(isKept)),
    ...own.secrets,
  };
  return Object.keys(merged).length === 0 ? undefined : merged;
};

/** The settings of one `env`, without those of outer levels. */
interface Own {
  readonly vars: Vars;
  readonly file: Environment;
  readonly strip: readonly string[];
  readonly secrets: NonNullable<EnvSpec['secrets']>;
}

const mergedWith = (
  outer: EnvSpec,
  declared: Declared,
  { vars, secrets }: { readonly vars: Environment; readonly secrets: EnvSpec['secrets'] | undefined },
): EnvSpec => ({
  vars,
  ...(secrets && { secrets }),
  inherit: declared.inheritEnv ?? outer.inherit,
  clearSession: declared.clearSessionVars ?? outer.clearSession,
  strip: [...new Set([...outer.strip, ...(declared.strip ?? [])])],
  ...((declared.clean ?? outer.clean) && { clean: true as const }),
});

/**
 * Returns the context for the other keys of the object, in which `${VAR}` refers to the variables of its
 * `env`.
 */
const enterScope = (owner: Spot, context: DecodeContext): DecodeContext => {
  if (childOf(owner.node, 'env') === undefined) return context;
  const spot = spotBelow(owner, 'env');
  const declared = env.decode(spot, context);
  if (declared === undefined) return context;
  const outer = context.scope;
  const file = declared.file === undefined ? NO_FILE : readEnvFile(declared.file, spot, context);
  const strip = declared.strip ?? [];
  const vars: Vars = declared.vars ?? new Map();
  warnOfOwn(vars, context);
  const secrets = secretFiles(declared.secrets ?? new Map(), { vars, file: file.vars }, context);
  const level = {
    vars,
    file: file.vars,
    outer: inherited(outer.env.vars, [...strip, ...Object.keys(secrets)]),
  };
  const around = withoutSecrets(context, secrets);
  const own = levelVars(level, spot, withFailed(around, [...file.failed, ...undecoded(spot, vars)]));
  const merged = mergedWith(outer.env, declared, {
    vars: own.vars,
    secrets: mergedSecrets(outer.env, { vars, file: file.vars, strip, secrets }),
  });
  refuseInheritedAndClean(merged, spot, context);
  return { ...context, scope: scopeOf(merged, { lookup: outer.lookup, failed: own.failed }) };
};

export interface Scoped<T> {
  readonly value: T;
  readonly scope: EnvScope;
}

/**
 * The decoder of `env` for the schema. It decodes nothing, because `inScope` decodes `env` before the other
 * keys.
 */
export const scopedEnv: Decoder<true> = { ...mapped(env, () => true as const), decode: () => true };

export const inScope = <T>(table: Decoder<T>): Decoder<Scoped<T>> => ({
  ...table,
  decode: (spot, context) => {
    const inner: DecodeContext = enterScope(spot, context);
    const value = table.decode(spot, inner);
    return value === undefined ? undefined : { value, scope: inner.scope };
  },
});
