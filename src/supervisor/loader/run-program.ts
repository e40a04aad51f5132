// Runs one of the two programs, each one text, from its code cache where there is one that fits. Node 22 could do so by itself
// (`module.enableCompileCache`), but not Node 20, and it would write what is executed where it happens to run.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { codeCacheIn, type CodeCache } from './code-cache.ts';
import { lateRequire } from './late-require.ts';

/** A program's text is an expression of this type; the build puts that around it. */
type Program = (require: (name: string) => object, file: string, about: About) => void;

interface About {
  readonly codeCache: CodeCache;
  /** Of its files as they were when it began. */
  readonly fingerprint: string | undefined;
}

/** Beside the program `x.js` lies its text, `x.bundle.js`, and the cache of that, `x.bundle.cache`. */
export const runProgram = (program: string, fingerprint?: string): void => {
  const file = program.replace(/\.js$/, '.bundle.js');
  const text = readFileSync(file);
  const found = codeCacheIn(file.replace(/\.js$/, '.cache'), text);
  const cachedData = typeof found === 'string' ? undefined : found;
  // It is all ASCII, which a decoder of UTF-8 would first have to find out.
  const script = new Script(text.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  const codeCache =
    typeof found === 'string' ? found : script.cachedDataRejected === true ? 'refused' : 'used';
  const run = script.runInThisContext() as Program;
  run(lateRequire(createRequire(program) as (name: string) => object), file, { codeCache, fingerprint });
};
