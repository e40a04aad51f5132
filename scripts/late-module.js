// Converts a module that the bundler has written to a function (D-131). The function evaluates the module. An
// imported module is evaluated when it is used, so that a command evaluates only the modules that it needs.
import { transform } from 'esbuild';

const EXPORTS = /export(?:\s*\{([^}]*)\}|\s+default\s+([^;]+));?\s*$/;
const STATIC = /\bvar (import_\w+)=require\("([^"]+)"\);/g;
const DYNAMIC = /__import\("\.\/([^"]+)"\)/g;

/**
 * Returns the exports of a module as properties. An export of a package may change, so a getter reads it at
 * each use.
 */
const propertiesOf = (written, isOwn) =>
  written.split(',').map((each) => {
    const [inside, outside = inside] = each.trim().split(/\s+as\s+/);
    return isOwn ? `${outside}:${inside}` : `get ${outside}(){return ${inside}}`;
  });

const withNames = (code, { use, load }) => {
  const uses = new Map();
  const body = code.replaceAll(STATIC, (_, name, path) => (uses.set(name, use(path)), ''));
  return `()=>{let __exports;${body
    .replaceAll(/\bnew (import_\w+(?:\.\w+)+)/g, 'new($1)')
    .replaceAll(/\bimport_\w+(?=\.)/g, (name) => uses.get(name) ?? name)
    .replaceAll(DYNAMIC, (_, path) => `Promise.resolve().then(()=>${load(path)})`)}return __exports}`;
};

/**
 * Resolves to a function that returns the text of the converted module. `use` returns the expression for an
 * imported module, and `load` the expression for an `import()`. Both give numbers to modules when they are
 * called. So the caller decides about the order of numbers, however long each module takes to transform.
 */
export const lateModule = async ({ text, inputs }) => {
  const isOwn = Object.keys(inputs).every((path) => path.startsWith('src/'));
  const [, written, byDefault] = EXPORTS.exec(text) ?? [];
  const properties = written === undefined ? [`default:${byDefault}`] : propertiesOf(written, isOwn);
  const { code, legalComments } = await transform(
    `${text.replace(EXPORTS, '').replaceAll(/\bimport\((?="\.\/)/g, '__import(')};__exports={${properties.join(',')}}`,
    { format: 'cjs', target: 'node20.19', minifyWhitespace: true, legalComments: 'external' },
  );
  return ({ use, load }) => ({ legalComments, text: withNames(code, { use, load }) });
};
