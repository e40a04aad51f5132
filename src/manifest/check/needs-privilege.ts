// Checks keys that have an effect only under a supervisor with root privileges (`docs/manifest.md`,
// "Privileged mode"). Without these privileges they are reported as a warning (ERR0705); with version 3,
// cgroups and namespaces that are not available are an error (ERR0721).
import { isPrivileged } from '../read/reader.ts';
import { asks, written } from './report-ignored-keys.ts';
import { reportAtKey, type DecodeContext, type Spot } from '../decode/shapes/decoder.ts';

const OFF = ['false', 'off'];
const IDENTITY = ['user', 'group', 'supplementary_groups', 'capabilities'];
const NAMESPACES = ['isolation.network', 'isolation.mount', 'isolation.pid', 'isolation.protect'];

/** The keys that have no effect without a privileged supervisor. */
export const PRIVILEGED_KEYS: readonly string[] = [...IDENTITY, ...NAMESPACES, 'limits.cgroup'];

const without = 'without a privileged supervisor (--sys)';
const unlessInside = 'or a user namespace around it (isolation.user)';

const ROOT_INSIDE =
  'maps root to root of the machine under version 2, so files of root stay open to it: use version 3, or name a user';

const ROOT = 0;
const IMPOSTOR = `the service will not be started ${without}: it would run as root (ERR0742)`;

/**
 * Returns the keys of user and groups to warn about. If root reads the manifest, `user` is left out, because
 * it gets another warning.
 */
const identityOf = ({ reader }: DecodeContext): readonly string[] =>
  reader.uid === ROOT ? IDENTITY.filter((key) => key !== 'user') : IDENTITY;

const asked = (spot: Spot, keys: readonly string[], context: DecodeContext): readonly Spot[] =>
  keys.flatMap((key) => written(spot, key) ?? []).filter(({ node }) => asks(node, OFF, context));

const warn = (spots: readonly Spot[], context: DecodeContext, message: string): void => {
  for (const spot of spots) reportAtKey(spot, context, { code: 'ERR0705', severity: 'warning', message });
};

const refuse = (spots: readonly Spot[], context: DecodeContext, message: string): void => {
  for (const spot of spots) reportAtKey(spot, context, { code: 'ERR0721', message });
};

/** For version 2 of the manifest, warns that root in a user namespace is also root of the machine. */
const warnOfRoot = (spot: Spot, context: DecodeContext): void => {
  const user = written(spot, 'user');
  const isRoot = user === undefined || !asks(user.node, ['root', '0'], context);
  const namespaces = context.schema === 2 && isRoot ? asked(spot, ['isolation.user'], context) : [];
  for (const at of namespaces)
    reportAtKey(at, context, { code: 'ERR0721', severity: 'warning', message: ROOT_INSIDE });
};

export const warnPrivileged = (spot: Spot, context: DecodeContext): void => {
  if (isPrivileged(context.reader)) warnOfRoot(spot, context);
  else warnUnprivileged(spot, context);
};

const warnUnprivileged = (spot: Spot, context: DecodeContext): void => {
  const inside = asked(spot, ['isolation.user'], context).length > 0;
  const cgroup = asked(spot, ['limits.cgroup'], context);
  const namespaces = inside ? [] : asked(spot, NAMESPACES, context);
  warn(asked(spot, identityOf(context), context), context, `has no effect ${without}`);
  if (context.reader.uid === ROOT) warn(asked(spot, ['user'], context), context, IMPOSTOR);
  if (context.schema === 2) {
    warn(cgroup, context, `has no effect ${without}`);
    warn(namespaces, context, `has no effect ${without}, ${unlessInside}`);
  } else {
    refuse(cgroup, context, `cannot be enforced ${without}`);
    refuse(namespaces, context, `cannot be enforced ${without}, ${unlessInside}`);
  }
};
