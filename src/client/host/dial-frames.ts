// The messages between `sup --host` and `sup dial-stdio` on the other machine: JSON objects, one per line
// (D-166). Neither side trusts the other, so each side refuses or drops messages of an unknown form.
import { fieldsIn, isFields, type Fields } from '../../streams/wire/params/checked-fields.ts';
import type { ErrorDocument } from '../../streams/wire/documents/basic-documents.ts';

/** The version of this protocol. It must be increased when messages change incompatibly. */
export const DIAL = 1;
/** Maximum length of a message, bytes. A longer line is not a message. */
export const LONGEST_FRAME = 1024 * 1024;
/** Maximum number of characters of output in one message. */
export const LONGEST_OUTPUT = 64 * 1024;
/** Interval at which the other machine sends `alive`, ms. */
export const ALIVE_MS = 5_000;

/** The greeting, which is the first line that `sup dial-stdio` prints. */
export interface DialGreeting {
  readonly dial: number;
  readonly version: string;
}

/**
 * Describes the user's standard output or standard error: whether it is a terminal, and the size of the
 * terminal.
 */
export interface SeenScreen {
  readonly terminal: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** Requests that the other machine runs a command line. */
export interface RunRequest {
  readonly ask: 'run';
  readonly line: readonly string[];
  readonly stdout: SeenScreen;
  readonly stderr: SeenScreen;
  /** True if the user has a keyboard and can answer questions. */
  readonly keyboard: boolean;
  /** Environment variables that affect how output looks, such as `NO_COLOR`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Paths in the command line that exist on the user's machine. */
  readonly manifests: readonly string[];
}

/** Requests a connection to the control socket. */
export interface ControlRequest {
  readonly ask: 'control';
  readonly sys: boolean;
}

/** A request. `dataDir` replaces the default data directory of the user or of `--sys`. */
export type DialRequest = (RunRequest | ControlRequest) & { readonly dataDir?: string };

/** Input from the user while the command runs. */
export type DialInput =
  | { readonly tag: 'interrupt' }
  | { readonly tag: 'typed'; readonly text: string }
  /** A part of standard input. Without bytes it is the end of standard input. */
  | { readonly tag: 'input'; readonly bytes?: Uint8Array }
  | ({ readonly tag: 'resized' } & Omit<SeenScreen, 'terminal'>);

/** A message from the other machine about a command. */
export type DialFrame =
  | { readonly tag: 'out' | 'err'; readonly text: string }
  | { readonly tag: 'alive' }
  /** Says whether the command now reads the keys that the user presses. */
  | { readonly tag: 'keys'; readonly wanted: boolean }
  /** The first path of `manifests` that does not exist on the other machine. The command was not run. */
  | { readonly tag: 'missing'; readonly path: string }
  | { readonly tag: 'exit'; readonly status: number }
  /** The control socket is connected. All bytes after this message are data from or to the control socket. */
  | { readonly tag: 'connected' }
  | { readonly tag: 'refused'; readonly error: ErrorDocument };

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

export const decodeGreeting = (line: string): DialGreeting | undefined => {
  const { dial, version } = fieldsIn(line) ?? {};
  return typeof dial === 'number' && typeof version === 'string' ? { dial, version } : undefined;
};

const screenIn = (value: unknown): SeenScreen => {
  const { terminal, columns, rows } = isFields(value) ? value : {};
  const size = (given: unknown): number | undefined => (typeof given === 'number' ? given : undefined);
  return { terminal: terminal === true, columns: size(columns), rows: size(rows) };
};

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isFields(value) ? value : {}).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  );

const runIn = ({ line, stdout, stderr, keyboard, environment, manifests }: Fields): RunRequest | undefined =>
  isTexts(line)
    ? {
        ask: 'run',
        line,
        stdout: screenIn(stdout),
        stderr: screenIn(stderr),
        keyboard: keyboard === true,
        environment: textsIn(environment),
        manifests: isTexts(manifests) ? manifests : [],
      }
    : undefined;

export const decodeRequest = (line: string): DialRequest | undefined => {
  const fields = fieldsIn(line) ?? {};
  const { ask, sys, dataDir } = fields;
  const control: ControlRequest | undefined = ask === 'control' ? { ask, sys: sys === true } : undefined;
  const request = ask === 'run' ? runIn(fields) : control;
  return request && { ...request, ...(typeof dataDir === 'string' && { dataDir }) };
};

/** Maximum number of bytes of standard input in one message. */
const LONGEST_INPUT = 48 * 1024;

/** Returns the messages that carry all of standard input and its end. */
export const inputMessages = (bytes: Uint8Array): readonly object[] => {
  const parts = Array.from({ length: Math.ceil(bytes.length / LONGEST_INPUT) }, (_, at) =>
    Buffer.from(bytes.subarray(at * LONGEST_INPUT, (at + 1) * LONGEST_INPUT)).toString('base64'),
  );
  return [...parts.map((base64) => ({ tag: 'input', base64 })), { tag: 'input' }];
};

export const decodeInput = (line: string): DialInput | undefined => {
  const fields = fieldsIn(line) ?? {};
  const { tag, text, base64 } = fields;
  if (tag === 'typed') return typeof text === 'string' ? { tag, text } : undefined;
  if (tag === 'input')
    return typeof base64 === 'string' ? { tag, bytes: Buffer.from(base64, 'base64') } : { tag };
  if (tag === 'resized') return { ...screenIn(fields), tag };
  return tag === 'interrupt' ? { tag } : undefined;
};

export const isErrorDocument = (value: unknown): value is ErrorDocument =>
  isFields(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';

export const decodeFrame = (line: string): DialFrame | undefined => {
  const { tag, text, wanted, path, status, error } = fieldsIn(line) ?? {};
  switch (tag) {
    case 'out':
    case 'err':
      return typeof text === 'string' ? { tag, text } : undefined;
    case 'keys':
      return { tag, wanted: wanted === true };
    case 'missing':
      return typeof path === 'string' ? { tag, path } : undefined;
    case 'exit':
      return { tag, status: Number.isInteger(status) ? Number(status) & 0xff : 1 };
    case 'refused':
      return isErrorDocument(error) ? { tag, error } : undefined;
    case 'alive':
    case 'connected':
      return { tag };
    default:
      return undefined;
  }
};
