// Runs the text of one of the two programs, from its code cache if that is valid. Node 22 has
// `module.enableCompileCache`, but Node 20 does not. It would also write executable data wherever it happens
// to run.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { codeCacheIn, type CodeCache } from './code-cache.ts';
import { lateRequire } from './late-require.ts';

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
