// Installs a system call filter: seccomp(2).
import type { Libc } from '../../libc.ts';
import { setSeccompFilter } from './prctl.ts';

const INSTRUCTION_BYTES = 8;

/**
 * Installs the filter for good. `program`: its encoded instructions. Needs `no_new_privs`, or CAP_SYS_ADMIN.
 */
export const installFilter = (libc: Libc, program: Buffer): void => {
  const description = Buffer.alloc(16);
  description.writeUInt16LE(program.length / INSTRUCTION_BYTES);
  description.writeBigUInt64LE(BigInt(libc.addressOf(program)), 8);
  setSeccompFilter(libc, description);
};
