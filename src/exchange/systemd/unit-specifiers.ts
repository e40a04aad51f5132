// Replaces the specifiers of unit files (systemd.unit(5), "Specifiers") as the system manager of systemd
// does.

/** The parts of the name of a unit. */
export interface UnitName {
  /** The whole name: `web@a.service`. */
  readonly full: string;
  /** The part before `@`, or before the type: `web`. */
  readonly prefix: string;
  /** The instance: `a`. Empty for a template, absent for a unit without `@`. */
  readonly instance?: string;
  /** The type: `service`. */
  readonly type: string;
}

/** Returns the parts of the name of a unit. */
export const unitName = (full: string): UnitName => {
  const [, stem = full, type = ''] = /^(.*)\.([a-z]+)$/.exec(full) ?? [];
  const at = stem.indexOf('@');
  return at === -1
    ? { full, prefix: stem, type }
    : { full, prefix: stem.slice(0, at), instance: stem.slice(at + 1), type };
};

/** Undoes the escapes of systemd-escape(1). */
const unescapedName = (name: string): string =>
  name
    .replaceAll('-', '/')
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );

const FIXED: Readonly<Record<string, string>> = {
  ...{ t: '/run', S: '/var/lib', C: '/var/cache', L: '/var/log', E: '/etc', T: '/tmp', V: '/var/tmp' },
  ...{ h: '/root', u: 'root', U: '0', g: 'root', G: '0', s: '/bin/sh', '%': '%' },
};

const ofName = ({ full, prefix, instance = '', type }: UnitName): Readonly<Record<string, string>> => ({
  n: full,
  N: full.slice(0, full.length - type.length - 1),
  p: prefix,
  P: unescapedName(prefix),
  i: instance,
  I: unescapedName(instance),
  j: prefix.slice(prefix.lastIndexOf('-') + 1),
  J: unescapedName(prefix.slice(prefix.lastIndexOf('-') + 1)),
  f: `/${unescapedName(instance === '' ? prefix : instance).replace(/^\/+/, '')}`,
});

/** Matches a specifier with a value that depends on the machine or the boot. */
const OF_MACHINE = /%[mbHlqvaABMwWodyY]/;

/** Returns the text with all specifiers replaced that do not depend on the machine. */
export const withoutSpecifiers = (text: string, name: UnitName): string => {
  if (!text.includes('%')) return text;
  const known = { ...FIXED, ...ofName(name) };
  return text.replaceAll(/%(.)/g, (whole, letter: string) => known[letter] ?? whole);
};

/** Returns the first specifier that depends on the machine; `undefined` if there is none. */
export const specifierLeft = (text: string): string | undefined =>
  OF_MACHINE.exec(text.replaceAll('%%', ''))?.[0];
