// The messages between `sup --host` and `sup dial-stdio` on the other machine: JSON objects, one a line
// (D-166). Neither side trusts the other: what has an unknown form is refused or dropped.
import { fieldsIn, isFields, type Fields } from '../../streams/wire/checked-fields.ts';
import type { ErrorDocument } from '../../streams/wire/documents/basic-documents.ts';

/** Number of this protocol. It changes if the two sides would misunderstand each other. */
export const DIAL = 1;
/** The most bytes of a line; a longer line is not a message. */
export const LONGEST_FRAME = 1024 * 1024;
/** Characters of output in one message. */
export const LONGEST_OUTPUT = 64 * 1024;
/** The other machine says this often, ms, that it is alive. */
export const ALIVE_MS = 5_000;

/** The first line of `sup dial-stdio`. */
export interface DialGreeting {
  readonly dial: number;
  readonly version: string;
}

/** The screen of the user. */
export interface SeenScreen {
  readonly terminal: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

/** Asks for a command line to be carried out. */
export interface RunRequest {
  readonly ask: 'run';
  readonly line: readonly string[];
  readonly stdout: SeenScreen;
  readonly stderr: SeenScreen;
  /** True if the user can answer a question. */
  readonly keyboard: boolean;
  /** Variables that say how output looks. */
  readonly environment: Readonly<Record<string, string>>;
  /** Paths in the line that exist on the machine of the user. */
  readonly manifests: readonly string[];
}

/** Asks for a connection to the control socket. */
export interface ControlRequest {
  readonly ask: 'control';
  readonly sys: boolean;
}

/** `dataDir`: the data directory, instead of that of the user or of `--sys`. */
export type DialRequest = (RunRequest | ControlRequest) & { readonly dataDir?: string };

/** What the user does while the command runs. */
export type DialInput =
  | { readonly tag: 'interrupt' }
  | { readonly tag: 'typed'; readonly text: string }
  /** A part of standard input; without bytes its end. */
  | { readonly tag: 'input'; readonly bytes?: Uint8Array }
  | ({ readonly tag: 'resized' } & Omit<SeenScreen, 'terminal'>);

/** What the other machine says of a command. */
export type DialFrame =
  | { readonly tag: 'out' | 'err'; readonly text: string }
  | { readonly tag: 'alive' }
  /** Whether the command wants the keys that the user presses. */
  | { readonly tag: 'keys'; readonly wanted: boolean }
  /** The first of `manifests` that does not exist there. Nothing was carried out. */
  | { readonly tag: 'missing'; readonly path: string }
  | { readonly tag: 'exit'; readonly status: number }
  /** The control socket is connected: all that follows belongs to it. */
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

/** Bytes of standard input in one message. */
const LONGEST_INPUT = 48 * 1024;

/** Returns the messages that carry all of standard input. */
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
