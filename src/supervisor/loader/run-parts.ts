// Runs the program `sup`, which the build divides into parts (D-131). Each part is a text with its own code
// cache and a table of modules. A part is read when one of its modules is needed for the first time.
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CodeCache, FileRefused, lateRequire, type Load, textOf } from './run-program.ts';

interface Part {
  /** Identifies the build that the part belongs to. */
  readonly build: string;
  /** Functions that return the modules by their names, for example `./core/12`. */
  readonly modules: Readonly<Record<string, () => object>>;
}

interface About {
  readonly file: string;
  readonly directory: string;
  readonly url: string;
  readonly codeCache: CodeCache;
}

type PartText = (require: Load, about: About) => Part;

/**
 * Runs the program `x.js` of this build. Its parts are `x.core.js` and others, in the same directory.
 * `load`: the `require` of `x.js`.
 */
export const runParts = (program: string, build: string, load: Load): void => {
  const outside = lateRequire(load);
  const parts = new Map<string, Part['modules']>();
  const open = (name: string): Part['modules'] => {
    const file = program.replace(/js$/, `${name}.js`);
    const { text, codeCache } = textOf(file);
    const about = { file, directory: dirname(file), url: pathToFileURL(file).href, codeCache };
    const part = (text as PartText)(need, about);
    if (part.build !== build) throw new FileRefused(file);
    parts.set(name, part.modules);
    return part.modules;
  };
  const need: Load = (name) => {
    const [here, part = ''] = name.split('/');
    return here === '.' ? ((parts.get(part) ?? open(part))[name]?.() ?? {}) : outside(name);
  };
  need('./core/main');
};
