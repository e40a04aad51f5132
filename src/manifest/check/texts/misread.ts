// Warns of texts that may be misread: `{slot}` where it is not filled in, and `$$` where a shell would insert
// its process id.
import { complain, type Context, type Spot } from '../../decode/shapes/decoder.ts';
import { below } from '../dotted-path.ts';
import { placeholderIn } from '../placeholders.ts';

/** Keys whose text a shell reads. */
const SHELL_KEYS: ReadonlySet<string> = new Set([
  'command',
  'pre_start',
  'reload',
  'skip',
  'stop_command',
  'switch_command',
]);

interface Leaf extends Spot {
  readonly key: string;
  readonly text: string;
}

/**
 * Every text below a service. The entries of `exec` have their own check, and the keys of `env` are the
 * user's.
 */
const leavesOf = ({ node, path }: Spot, key: string): readonly Leaf[] => {
  if (node.tag === 'scalar')
    return typeof node.value === 'string' ? [{ node, path, key, text: node.value }] : [];
  if (node.tag === 'list')
    return node.items.flatMap((item, index) => leavesOf({ node: item, path: `${path}[${index}]` }, key));
  if (node.tag !== 'map') return [];
  return node.entries.flatMap(({ key: name, value }) =>
    name === 'exec' ? [] : leavesOf({ node: value, path: below(path, name) }, key === 'env' ? key : name),
  );
};

const isFilled = ({ key }: Leaf): boolean => SHELL_KEYS.has(key) || key === 'url';

/** True for a variable that a command or URL of the service refers to, where it is filled in. */
const isTakenUp = ({ path }: Leaf, filled: readonly Leaf[]): boolean => {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return filled.some(({ text }) => text.includes(`\${${name}`));
};

const warnOfPlaceholders = (leaves: readonly Leaf[], context: Context): void => {
  const filled = leaves.filter(isFilled);
  for (const leaf of leaves) {
    const placeholder = isFilled(leaf) ? undefined : placeholderIn(leaf.text);
    if (placeholder === undefined || (leaf.key === 'env' && isTakenUp(leaf, filled))) continue;
    complain(leaf, context, {
      code: 'ERR0223',
      severity: 'warning',
      message: `${placeholder} is not filled in here: it has a meaning in commands and URLs only`,
      hint: 'a run of blue_green finds its slot in the variable that env_var names',
    });
  }
};

/** Exactly two dollar signs, without a name or bracket after them that a shell would expand. */
const LONE_DOLLAR = /(?<!\$)\$\$(?![\w$({'#?@*!-])/;

const warnOfPids = (leaves: readonly Leaf[], context: Context): void => {
  for (const leaf of leaves.filter(({ key, text }) => SHELL_KEYS.has(key) && LONE_DOLLAR.test(text)))
    complain(leaf, context, {
      code: 'ERR0216',
      severity: 'warning',
      message: '$$ stands for one dollar sign: the shell gets no process id',
      hint: 'write $$$$ for the process id of the shell',
    });
};

/** Warns of such texts in a service, which is `spot`. */
export const warnOfTexts = ({ node, path }: Spot, context: Context): void => {
  const leaves = leavesOf({ node, path }, '');
  warnOfPlaceholders(leaves, context);
  warnOfPids(leaves, context);
};
