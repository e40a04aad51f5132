// The rules for what an agent may change, such as `restart:shop/*`, given with `--allow`. A call is permitted
// only if the rules cover every name that its patterns could match, even names of services that do not exist.
import { declaredName } from '../../streams/domain/ids.ts';
import { accept, type Checked, refuse } from '../../streams/wire/params/checked-fields.ts';

export const CHANGES = ['start', 'stop', 'restart', 'scale', 'apply', 'rollback'] as const;
export type AgentChange = (typeof CHANGES)[number];

export interface AllowRule {
  readonly changes: readonly AgentChange[];
  /** A service, or a pattern for services: `web`, `shop/*`. */
  readonly pattern: string;
}

/** Matches a name or a pattern of services. */
const WRITTEN = /^[\w.@*?-]+(?:\/[\w.@*?-]+)?$/;

const LONGEST_PATTERN = 200;

export const isChange = (word: string): word is AgentChange => CHANGES.some((change) => change === word);

/** Returns the rule in a text such as `restart:shop/*`, or the problem of a text that is no rule. */
export const readRule = (written: string): Checked<AllowRule> => {
  const colon = written.indexOf(':');
  const [word, pattern] = [written.slice(0, colon), written.slice(colon + 1)];
  if (colon < 0) return refuse(`"${written}" has no colon`);
  if (word !== '*' && !isChange(word)) return refuse(`"${word}" is not one of ${CHANGES.join(', ')}, *`);
  if (!WRITTEN.test(pattern) || pattern.length > LONGEST_PATTERN)
    return refuse(`"${pattern}" is no name or pattern of services, such as web, shop/web, shop/* or *`);
  return accept({ changes: word === '*' ? CHANGES : [word], pattern });
};

/**
 * True if the pattern `outer` certainly matches every text that the pattern `inner` matches. For some
 * patterns the result is false although `outer` matches all these texts.
 */
const includes = (outer: string, inner: string): boolean => {
  const known = new Map<string, boolean>();
  const from = (at: number, read: number): boolean => {
    const key = `${at} ${read}`;
    const found = known.get(key) ?? compare(at, read);
    known.set(key, found);
    return found;
  };
  const skip = (at: number, read: number): boolean =>
    from(at + 1, read) || (read < inner.length && from(at, read + 1));
  const compare = (at: number, read: number): boolean => {
    const [wide, narrow] = [outer[at], inner[read]];
    if (wide === '*') return skip(at, read);
    if (wide === undefined || narrow === undefined) return wide === narrow;
    return narrow !== '*' && (wide === '?' || wide === narrow) && from(at + 1, read + 1);
  };
  return from(0, 0);
};

/**
 * Returns the project and the name in a name or pattern of services. If it has no project, the project is
 * `*`.
 */
const partsOf = (written: string): readonly [project: string, name: string] => {
  const slash = written.indexOf('/');
  return slash < 0 ? ['*', written] : [written.slice(0, slash), written.slice(slash + 1)];
};

/** True if the pattern of a rule matches every service that the name or pattern `written` can mean. */
const covers = (pattern: string, written: string): boolean => {
  const [[project, name], [innerProject, innerName]] = [partsOf(pattern), partsOf(written)];
  const isNamed = includes(name, innerName) || includes(name, declaredName(innerName));
  return includes(project, innerProject) && isNamed;
};

/** True if the rules permit the change for every service that the name or pattern `written` can mean. */
export const permitsAll = (rules: readonly AllowRule[], change: AgentChange, written: string): boolean =>
  rules.some(({ changes, pattern }) => changes.includes(change) && covers(pattern, written));

/** Returns the patterns of the services for which the rules permit the change. */
export const patternsFor = (rules: readonly AllowRule[], change: AgentChange): readonly string[] =>
  rules.filter(({ changes }) => changes.includes(change)).map(({ pattern }) => pattern);
