// Runs the program `sup` or `supervisor` from its bundle (the text). If the bundle has a valid code cache,
// V8 need not compile the text again (D-095). The cache file is next to the bundle, and only the build
// writes it: the cache data, the same data again, then the text.
//
// The cache data and the text are compared with their copies, because V8 checks only its version, its
// options and the length of the text. It would execute cache data with a wrong bit, or data made from
// another text of the same length.
//
// Node 22 has `module.enableCompileCache`, but Node 20 does not. That function would also write executable
// data wherever the program happens to run.
import { readFileSync, writeSync } from 'node:fs';
import { Script } from 'node:vm';

/** Whether the program runs from its code cache, and if it does not, the reason. */
export type CodeCache = 'used' | 'absent' | 'damaged' | 'refused';

const contentOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

/**
 * Returns the code cache in a file. The file contains the cache twice, then the text of the program. Both
 * copies of the cache must be equal, and the text must be the text of the program. Otherwise returns why the
 * cache cannot be used. The comparison takes 2 ms. A checksum would take longer, because `zlib` would have to
 * be loaded.
 */
const codeCacheIn = (file: string, text: Buffer): Buffer | 'absent' | 'damaged' => {
  const content = contentOf(file);
  if (content === undefined) return 'absent';
  const half = (content.length - text.length) / 2;
  if (!Number.isInteger(half) || half <= 0) return 'damaged';
  const data = content.subarray(0, half);
  const whole = data.equals(content.subarray(half, 2 * half)) && text.equals(content.subarray(2 * half));
  return whole ? data : 'damaged';
};

const LOADED_LATE: ReadonlySet<string> = new Set(
  [
    ...['child_process', 'crypto', 'fs/promises', 'http', 'https', 'module', 'net', 'os', 'readline'],
    ...['timers/promises', 'tls', 'zlib'],
  ].flatMap((name) => [name, `node:${name}`]),
);

/**
 * The functions of `crypto` that a module may copy into variables long before it calls them, as `ws` does.
 */
const DEFERRED = new Set(['createHash', 'randomBytes', 'randomFillSync', 'randomUUID']);

/**
 * Two members of `http` that future versions of Node may have. `ws` looks for them when it is loaded, which
 * would load `http` at once. They are reported as missing, and `ws` uses functions of its own instead.
 */
const UNUSED = new Set(['websocketMask', 'websocketUnmask']);

/** Type of `require`. */
export type Load = (name: string) => object;

const memberOf = (name: string, member: string | symbol, load: Load): unknown => {
  if (typeof member === 'string' && UNUSED.has(member)) return undefined;
  if (typeof member !== 'string' || !DEFERRED.has(member)) return Reflect.get(load(name), member);
  return (...given: readonly unknown[]): unknown => {
    const found: unknown = Reflect.get(load(name), member);
    return typeof found === 'function' ? Reflect.apply(found, undefined, given) : undefined;
  };
};

const late = (name: string, load: Load): object =>
  new Proxy(
    {},
    {
      get: (_, member): unknown => memberOf(name, member, load),
      has: (_, member) => Reflect.has(load(name), member),
      // `import name from` in a bundle copies all members, which loads the module at once.
      ownKeys: () => Reflect.ownKeys(load(name)),
      getOwnPropertyDescriptor: (_, member) => {
        const found = Reflect.getOwnPropertyDescriptor(load(name), member);
        return found && { ...found, configurable: true };
      },
    },
  );

/** Returns a `require` that loads rarely used built-in modules only when one of their members is read. */
export const lateRequire =
  (load: Load): Load =>
  (name) =>
    LOADED_LATE.has(name) ? late(name, load) : load(name);

/**
 * Thrown if a file of the program belongs to another build, is missing or is damaged. The message is the path
 * of the file. The parts of the program identify the error by its code, because they have no access to this
 * class.
 */
export class FileRefused extends Error {
  readonly code = 'ERR0504';
}

interface Text {
  readonly text: unknown;
  readonly codeCache: CodeCache;
}

const compiled = (file: string): Text => {
  const source = readFileSync(file);
  const found = codeCacheIn(file.replace(/\.js$/, '.cache'), source);
  const cachedData = typeof found === 'string' ? undefined : found;
  // The text has only ASCII characters. Decoding it as Latin-1 saves the check that a UTF-8 decoder makes.
  const script = new Script(source.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  const codeCache =
    typeof found === 'string' ? found : script.cachedDataRejected === true ? 'refused' : 'used';
  return { text: script.runInThisContext(), codeCache };
};

/**
 * Returns the function that is the text of `file`, compiled from its code cache if that is valid. Throws
 * FileRefused if the file is missing or damaged.
 */
export const textOf = (file: string): Text => {
  try {
    return compiled(file);
  } catch {
    throw new FileRefused(file);
  }
};

const ADVICE = 'run the program again; if it still fails, install it again';

/** Runs a program. If its first file cannot be loaded, there is no other code that could report that. */
export const runOrReport = (run: () => void): void => {
  try {
    run();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    writeSync(2, `ERR0504 ${error.message} cannot be loaded: it was replaced or is damaged\n  ${ADVICE}\n`);
    process.exitCode = 1;
  }
};

/** The type of a program's text: a function, because the build wraps the program in a function. */
type Program = (require: Load, file: string, about: About) => void;

interface About {
  readonly codeCache: CodeCache;
  /** Identifies the state of the program's files when the program was started (`fingerprintOf`). */
  readonly fingerprint: string | undefined;
}

/**
 * Runs the program `x.js`: loads its text from `x.bundle.js` and its code cache from `x.bundle.cache`.
 * `load`: the `require` of `x.js`.
 */
export const runProgram = (program: string, load: Load, fingerprint?: string): void => {
  const file = program.replace(/\.js$/, '.bundle.js');
  const { text, codeCache } = textOf(file);
  (text as Program)(lateRequire(load), file, { codeCache, fingerprint });
};
