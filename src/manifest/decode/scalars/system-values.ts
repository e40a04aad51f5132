// Decodes accounts, capabilities (capabilities(7)), signals, system calls and masks (umask(2)).
import { constants } from 'node:os';
import { numberOf } from './number.ts';
import { orReference, read, type ScalarReading, refused, scalar, type ScalarText } from './scalar.ts';
import { readFilled } from './text.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { HIGHEST_ID } from '../../../streams/domain/account.ts';
import { ADDRESS_FAMILIES } from '../../../streams/launch/seccomp/address-families.ts';
import { GROUP_NAMES } from '../../../streams/launch/seccomp/call-groups.ts';
import { CALL_NAMES } from '../../../streams/launch/seccomp/system-calls.ts';
import { didYouMean } from '../../../streams/views/nearest.ts';

const DIGITS = /^\d+$/;

/** True for a number that no account can have. Linux would read such a number as another number. */
const isOutOfRange = ({ kind, text }: ScalarText): boolean => {
  if (kind !== 'number' && !DIGITS.test(text)) return false;
  const id = numberOf(text);
  return !Number.isInteger(id) || id < 0 || id > HIGHEST_ID;
};

export const account: Decoder<string> = scalar({
  label: 'string',
  schema: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'integer', minimum: 0, maximum: HIGHEST_ID },
      { type: 'boolean' },
    ],
  },
  read: (given) =>
    isOutOfRange(given)
      ? refused(`is no number of an account: they go from 0 to ${HIGHEST_ID}`)
      : readFilled(given),
});

const NAMES = `AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE
  DAC_READ_SEARCH FOWNER FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN
  NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT
  SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM`.split(
  /\s+/,
);

/** Returns a pattern that matches the name in upper, lower or mixed case. */
const inAnyCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);

/** Decodes the name of a capability into the form `CAP_XXX`. */
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

const SIGNALS = Object.keys(constants.signals);

const SIGNAL_PATTERN = `^(SIG)?(${SIGNALS.map((name) => name.slice(3)).join('|')})$`;

const signalNamed = (text: string, rule: string): ScalarReading<string> => {
  const name = text.startsWith('SIG') ? text : `SIG${text}`;
  return SIGNALS.includes(name) ? read(name) : refused(rule, didYouMean(name, SIGNALS));
};

/** Decodes the name of a signal into the form `SIGxxx`. */
export const signal: Decoder<string> = scalar({
  label: 'signal',
  schema: orReference({ type: 'string', pattern: SIGNAL_PATTERN }),
  read: ({ text }) => signalNamed(text, 'is not the name of a signal'),
});

/** Decodes `restart`, or the name of a signal into the form `SIGxxx`. */
export const restartOrSignal: Decoder<string> = scalar({
  label: 'restart or signal',
  schema: orReference({ type: 'string', pattern: `^restart$|${SIGNAL_PATTERN}` }),
  read: ({ text }) =>
    text === 'restart' ? read(text) : signalNamed(text, 'is neither restart nor the name of a signal'),
});

const HIGHEST_EXIT_CODE = 255;

/** Decodes an exit status, or the name of a signal into the form `SIGxxx`. */
export const exitCode: Decoder<number | string> = scalar<number | string>({
  label: 'exit status',
  schema: orReference({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: HIGHEST_EXIT_CODE },
      { type: 'string', pattern: SIGNAL_PATTERN },
    ],
  }),
  read: ({ kind, text }) => {
    if (kind === 'text' || !DIGITS.test(text))
      return signalNamed(text, 'is neither an exit status nor the name of a signal');
    return Number(text) <= HIGHEST_EXIT_CODE
      ? read(Number(text))
      : refused(`is no exit status: they go from 0 to ${HIGHEST_EXIT_CODE}`);
  },
});

const CALLS_AND_GROUPS = [...CALL_NAMES, ...GROUP_NAMES];

const named = (text: string): ScalarReading<string> =>
  CALLS_AND_GROUPS.includes(text)
    ? read(text)
    : refused('is neither a system call nor a group of them', didYouMean(text, CALLS_AND_GROUPS));

const call = (reading: (text: string) => ScalarReading<string>): Decoder<string> =>
  scalar({
    label: 'system call',
    schema: orReference({ type: 'string', pattern: '^(?:[a-z_][a-z0-9_]*|@[a-z-]+)$' }),
    read: ({ text }) => reading(text),
  });

export const syscall: Decoder<string> = call(named);

/** Decodes the name of an address family of sockets into the form `AF_XXX`. */
export const addressFamily: Decoder<string> = scalar({
  label: 'address family',
  schema: orReference({ type: 'string', pattern: '^(?:AF_)?[A-Z0-9]+$' }),
  read: ({ text }) => {
    const name = text.startsWith('AF_') ? text : `AF_${text}`;
    return ADDRESS_FAMILIES.includes(name)
      ? read(name)
      : refused('is not an address family', didYouMean(name, ADDRESS_FAMILIES));
  },
});

/**
 * Decodes a system call that may be denied: any except `execve`, with which the service itself is started.
 */
export const deniableSyscall: Decoder<string> = call((text) =>
  text === 'execve' ? refused('is what the service itself is begun with') : named(text),
);

const LABEL = 'octal mask';
const FORM = /^0?[0-7]{3}$/;
const OWNER = 0o700;

/** Decodes an octal mask into four digits. */
export const umask = scalar<string>({
  label: LABEL,
  schema: orReference({ type: 'string', pattern: '^0?0[0-7]{2}$' }),
  read: ({ kind, text }) => {
    if (kind === 'number') return refused(`is not an ${LABEL}`, `put the octal digits in quotes: "0027"`);
    if (!FORM.test(text)) return refused(`is not an ${LABEL} of three or four digits, such as "0027"`);
    if ((Number.parseInt(text, 8) & OWNER) !== 0)
      return refused('takes rights from the owner of a file, who is the service itself');
    return read(text.padStart(4, '0'));
  },
});
