// The Linux capabilities by number.

/** The Linux capabilities by number (capabilities(7)): the index in this list. */
const NAMES = `CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE
  NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE
  SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL
  SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE`.split(
  /\s+/,
);

/** Returns `CAP_XXX`; `undefined` for a number this table does not know. */
export const capabilityName = (capability: number): string | undefined =>
  NAMES[capability] === undefined ? undefined : `CAP_${NAMES[capability]}`;

/** Returns the number of a decoded name `CAP_XXX`; `undefined` if unknown. */
export const capabilityNumber = (name: string): number | undefined => {
  const at = NAMES.indexOf(name.replace(/^CAP_/, ''));
  return at === -1 ? undefined : at;
};

/** The number of capabilities in this table. */
export const CAPABILITIES = NAMES.length;
