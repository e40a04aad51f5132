// Runs the text of one of the two programs, from its code cache if that is valid (D-095), so that a start
// need not compile the text again. The file lies next to the program and only the build writes it: the
// data, the data again, then the text. V8 itself checks only the version, the options and the length of
// the text. It would execute data with a wrong bit, or data of another text of the same length. Node 22
// has `module.enableCompileCache`, but Node 20 does not. It would also write executable data wherever it
// happens to run.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

/** Whether a program uses its code cache, or why not. */
export type CodeCache = 'used' | 'absent' | 'damaged' | 'refused';

const contentOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

/** Returns the data if the file is whole. Comparing takes 2 ms; a checksum more, with `zlib` to load. */
const codeCacheIn = (file: string, text: Buffer): Buffer | 'absent' | 'damaged' => {
  const content = contentOf(file);
  if (content === undefined) return 'absent';
  const half = (content.length - text.length) / 2;
  if (!Number.isInteger(half) || half <= 0) return 'damaged';
  const data = content.subarray(0, half);
  const whole = data.equals(content.subarray(half, 2 * half)) && text.equals(content.subarray(2 * half));
  return whole ? data : 'damaged';
};

const LATE: ReadonlySet<string> = new Set(
  ['child_process', 'crypto', 'fs/promises', 'http', 'https', 'net', 'tls', 'zlib'].flatMap((name) => [
    name,
    `node:${name}`,
  ]),
);

type Load = (name: string) => object;

const late = (name: string, load: Load): object =>
  new Proxy(
    {},
    {
      get: (_, member): unknown => Reflect.get(load(name), member),
      has: (_, member) => Reflect.has(load(name), member),
      // Copying all members, as `import name from` does in a bundle, loads the module at once.
      ownKeys: () => Reflect.ownKeys(load(name)),
      getOwnPropertyDescriptor: (_, member) => {
        const found = Reflect.getOwnPropertyDescriptor(load(name), member);
        return found && { ...found, configurable: true };
      },
    },
  );

/** Returns a `require` that loads rarely used built-in modules of Node at first access. */
export const lateRequire =
  (load: Load): Load =>
  (name) =>
    LATE.has(name) ? late(name, load) : load(name);

/** A program's text is an expression of this type; the build wraps it so. */
type Program = (require: (name: string) => object, file: string, about: About) => void;

interface About {
  readonly codeCache: CodeCache;
  /** Identifies the program's files as they were when it began. */
  readonly fingerprint: string | undefined;
}

/** Runs `x.bundle.js`, the text of the program `x.js`, with the cache `x.bundle.cache`. */
export const runProgram = (program: string, fingerprint?: string): void => {
  const file = program.replace(/\.js$/, '.bundle.js');
  const text = readFileSync(file);
  const found = codeCacheIn(file.replace(/\.js$/, '.cache'), text);
  const cachedData = typeof found === 'string' ? undefined : found;
  // The text is all ASCII, which a UTF-8 decoder would first have to find out.
  const script = new Script(text.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  const codeCache =
    typeof found === 'string' ? found : script.cachedDataRejected === true ? 'refused' : 'used';
  const run = script.runInThisContext() as Program;
  run(lateRequire(createRequire(program) as (name: string) => object), file, { codeCache, fingerprint });
};
