// Pseudo-terminals: pty(7), ioctl_tty(2).
import { constants, openSync } from 'node:fs';
import { O_CLOEXEC } from './descriptor-flags.ts';
import { cFunction, type Libc } from './libc.ts';

const IOCTL = cFunction('int', 'ioctl', 'int', 'ulong', 'pointer');
const IOCTL_NUMBER = cFunction('int', 'ioctl', 'int', 'ulong', 'ulong');

const TCGETS = 0x5401;
const TCSETS = 0x5402;
const TIOCSCTTY = 0x540e;
const TIOCGWINSZ = 0x5413;
const TIOCSWINSZ = 0x5414;
const TIOCGPTPEER = 0x5441;
const TIOCSPTLCK = 0x4004_5431;

/** The size of the memory for a `struct termios`, bytes: larger than the structure of any architecture. */
const TERMIOS_BYTES = 128;
const WINDOW_BYTES = 8;

export interface Pty {
  /** The descriptor of the master side. Its reads and writes never block. */
  readonly master: number;
  /** The descriptor of the terminal itself, to pass to another process. */
  readonly terminal: number;
}

/**
 * Opens a new terminal that is not yet the controlling terminal of a session. Throws `Refused`, or Node's
 * error if `/dev/ptmx` cannot be opened.
 */
export const openPty = (libc: Libc): Pty => {
  const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
  const master = openSync('/dev/ptmx', O_RDWR | O_NOCTTY | O_NONBLOCK);
  libc.call(IOCTL, master, TIOCSPTLCK, Buffer.alloc(4));
  // The terminal is opened by ioctl, because its path may name another terminal in this mount namespace.
  const terminal = libc.call(IOCTL_NUMBER, master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  return { master, terminal };
};

/** Copies the window size of `from` to `to`. */
export const copyWindow = (libc: Libc, from: number, to: number): void => {
  const window = Buffer.alloc(WINDOW_BYTES);
  libc.call(IOCTL, from, TIOCGWINSZ, window);
  libc.call(IOCTL, to, TIOCSWINSZ, window);
};

/** Returns the settings of a terminal: the kernel's `struct termios`. */
export const settingsOf = (libc: Libc, terminal: number): Buffer => {
  const settings = Buffer.alloc(TERMIOS_BYTES);
  libc.call(IOCTL, terminal, TCGETS, settings);
  return settings;
};

export const setSettings = (libc: Libc, terminal: number, settings: Buffer): void =>
  void libc.call(IOCTL, terminal, TCSETS, settings);

const INPUT_AT = 0;
const OUTPUT_AT = 4;
const CONTROL_AT = 8;
const LOCAL_AT = 12;
/**
 * The offset of the control characters in `struct termios`. They follow four 32-bit words and the line
 * discipline (one byte).
 */
const CHARACTERS_AT = 17;
const VTIME = 5;
const VMIN = 6;
/** The bits of `c_iflag` that raw mode clears: IGNBRK, BRKINT, PARMRK, ISTRIP, INLCR, IGNCR, ICRNL, IXON. */
const INPUT_COOKED = 0o2753;
/** The bit of `c_oflag` that raw mode clears: OPOST. */
const OUTPUT_COOKED = 0o1;
/** The bits of `c_cflag` that raw mode clears: PARENB, CSIZE. After that, raw mode sets the bits of CS8. */
const CONTROL_COOKED = 0o460;
const CS8 = 0o60;
/** The bits of `c_lflag` that raw mode clears: ISIG, ICANON, ECHO, ECHONL, IEXTEN. */
const LOCAL_COOKED = 0o100_113;

const cleared = (settings: Buffer, at: number, bits: number): void =>
  void settings.writeUInt32LE((settings.readUInt32LE(at) & ~bits) >>> 0, at);

/** Returns the settings with output processing disabled: a line feed adds no carriage return. */
export const plainOutput = (settings: Buffer): Buffer => {
  const plain = Buffer.from(settings);
  cleared(plain, OUTPUT_AT, OUTPUT_COOKED);
  return plain;
};

/** Returns the settings in raw mode, like `cfmakeraw` of the C library: keys have no special meaning. */
export const raw = (settings: Buffer): Buffer => {
  const made = plainOutput(settings);
  cleared(made, INPUT_AT, INPUT_COOKED);
  cleared(made, LOCAL_AT, LOCAL_COOKED);
  cleared(made, CONTROL_AT, CONTROL_COOKED);
  made.writeUInt32LE(made.readUInt32LE(CONTROL_AT) | CS8, CONTROL_AT);
  made.writeUInt8(0, CHARACTERS_AT + VTIME);
  made.writeUInt8(1, CHARACTERS_AT + VMIN);
  return made;
};

/**
 * Makes the terminal the controlling terminal of the session that this process leads. The session must have
 * no controlling terminal yet.
 */
export const controlSession = (libc: Libc, terminal: number): void =>
  void libc.call(IOCTL_NUMBER, terminal, TIOCSCTTY, 0);
