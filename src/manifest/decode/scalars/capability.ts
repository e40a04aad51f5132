// Linux capabilities by name, with or without `CAP_` (capabilities(7)).
import { didYouMean } from '../../../streams/views/nearest.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { orReference, read, refused, scalar } from './scalar.ts';

const NAMES = `AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE
  DAC_READ_SEARCH FOWNER FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN
  NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT
  SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM`.split(
  /\s+/,
);

/** A pattern that matches the name in any case. */
const inAnyCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);

/** Decodes to the form `CAP_XXX`. */
export const capability: Decoder<string> = scalar({
  label: 'capability',
  schema: orReference({
    type: 'string',
    pattern: `^(${inAnyCase('CAP_')})?(${NAMES.map(inAnyCase).join('|')})$`,
  }),
  read: ({ text }) => {
    const name = text.toUpperCase().replace(/^CAP_/, '');
    return NAMES.includes(name)
      ? read(`CAP_${name}`)
      : refused('is not a Linux capability', didYouMean(name, NAMES));
  },
});
