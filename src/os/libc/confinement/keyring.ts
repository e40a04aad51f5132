// The session keyring: session-keyring(7). Child processes inherit it, and can read the keys in it.
import { errnoName } from '../../errno-name.ts';
import { cFunction, type Libc } from '../../libc.ts';

const KEYCTL = cFunction('long', 'syscall', 'long', 'int', 'pointer');

/** glibc has no function for it. */
const SYS_KEYCTL: Partial<Record<NodeJS.Architecture, number>> = { x64: 250, arm64: 219 };
const JOIN_SESSION_KEYRING = 1;

/**
 * Replaces the session keyring of the calling thread with a new, empty one that belongs to the thread's user.
 * Processes that this thread starts, and programs that it executes, inherit it. Returns the name of the error
 * if that is refused.
 */
export const joinSessionKeyring = (libc: Libc): string | undefined => {
  const keyctl = SYS_KEYCTL[process.arch];
  if (keyctl === undefined) return 'ENOSYS';
  const { value, errno } = libc.ask(KEYCTL, keyctl, JOIN_SESSION_KEYRING, null);
  return value === -1 ? errnoName(errno) : undefined;
};
