// Makes a function of a module that the bundler has written (D-131). The function evaluates the module, and
// what the module imports is evaluated when it is used. So a command evaluates only what it needs.
import { transform } from 'esbuild';

const EXPORTS = /export(?:\s*\{([^}]*)\}|\s+default\s+([^;]+));?\s*$/;
const STATIC = /\bvar (import_\w+)=require\("([^"]+)"\);/g;
const DYNAMIC = /__import\("\.\/([^"]+)"\)/g;

/** Returns the properties of a module. What a package exports may change, so it is read at each use. */
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
 * Resolves to a function that returns the text of a module's function, which evaluates the module and returns
 * its exports. What it imports is evaluated on first use. `use` returns the expression for an imported
 * module, `load` that for an `import()`. They are called when the text is made, so that a caller that makes
 * the texts in a fixed order numbers the modules in this order, however long each takes to transform.
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
