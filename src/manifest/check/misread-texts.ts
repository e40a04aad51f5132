// Finds strings that have another effect than they seem to (`docs/manifest.md`, "blue_green"): placeholders
// such as `{slot}` are replaced only for blue/green services, in commands and URLs, and never in `exec`; in a
// command, `$$` becomes a dollar sign, not the process id of the shell.
import { written } from './report-ignored-keys.ts';
import { type Mistake, quoted } from './problem-report.ts';
import { reportAt, type DecodeContext, type Spot } from '../decode/shapes/decoder.ts';
import { keyOf } from '../decode/shapes/object.ts';
import { below } from '../read/node.ts';
import type { Reload } from '../../streams/domain/declared/spec.ts';

/** Matches a placeholder such as `{slot}`. `${slot}` is no placeholder, but a variable of the shell. */
const PLACEHOLDER = /(?<!\$)\{(slot|candidate_slot|active_slot)\}/;

/** Returns the first placeholder in a text, in quotes. */
export const placeholderIn = (text: string): string | undefined => {
  const [found] = PLACEHOLDER.exec(text) ?? [];
  return found === undefined ? undefined : quoted(found);
};

interface Runs {
  readonly command?: string;
}

interface Asks extends Runs {
  readonly url?: string;
  readonly tcp?: string;
}

interface Outcomes {
  readonly success?: Runs;
  readonly error?: Runs;
}

/** The commands and URLs of a service, with variables expanded. */
interface Declared extends Runs {
  readonly skip: boolean | string;
  readonly reload?: Reload;
  readonly stopCommand?: string;
  readonly hooks?: Readonly<Record<string, (Runs & Outcomes) | undefined>>;
  readonly deployment: {
    readonly preStart?: string;
    readonly healthCheck?: Asks & { readonly liveness?: Asks };
  };
}

type Text = readonly [key: string, text: string | undefined];

const asked = (key: string, check: Asks | undefined): readonly Text[] => [
  [`${key}.command`, check?.command],
  [`${key}.url`, check?.url],
  [`${key}.tcp`, check?.tcp],
];

const textsOf = ({
  command,
  skip,
  reload,
  stopCommand,
  hooks = {},
  deployment: { preStart: before, healthCheck: check },
}: Declared) => [
  ['command', command] as const,
  ['skip', String(skip)] as const,
  ['reload', reload?.tag === 'command' ? reload.command : undefined] as const,
  ['stop_command', stopCommand] as const,
  ...Object.entries(hooks).flatMap(([name, hook]): readonly Text[] => [
    [`hooks.${keyOf(name)}.command`, hook?.command],
    [`hooks.${keyOf(name)}.success.command`, hook?.success?.command],
    [`hooks.${keyOf(name)}.error.command`, hook?.error?.command],
  ]),
  ['deployment.pre_start', before] as const,
  ...asked('deployment.health_check', check),
  ...asked('deployment.health_check.liveness', check?.liveness),
];

/** Matches the keys that have an address as value. No shell reads such a value. */
const ADDRESS = /\.(?:url|tcp)$/;

const findingOf = (key: string, placeholder: string): Mistake => ({
  code: 'ERR0213',
  message: `${placeholder} is filled in for blue_green only, and there is none here`,
  ...(!ADDRESS.test(key) && { hint: 'for the text itself, part it with quotes of the shell: {"slot"}' }),
});

/** Refuses placeholders such as `{slot}` in a service without slots. `spot`: the service. */
export const refusePlaceholders = (declared: Declared, spot: Spot, context: DecodeContext): void => {
  if (written(spot, 'deployment.blue_green') !== undefined) return;
  for (const [key, text = ''] of textsOf(declared)) {
    const [placeholder, at] = [placeholderIn(text), written(spot, key)];
    if (placeholder !== undefined && at !== undefined) reportAt(at, context, findingOf(key, placeholder));
  }
};

/** Keys with a text that a shell executes. */
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

/** Returns all strings of a service with their keys. Strings below `env` get the key `env`. */
const leavesOf = ({ node, path }: Spot, key: string): readonly Leaf[] => {
  if (node.tag === 'scalar')
    return typeof node.value === 'string' ? [{ node, path, key, text: node.value }] : [];
  if (node.tag === 'list')
    return node.items.flatMap((item, index) => leavesOf({ node: item, path: `${path}[${index}]` }, key));
  if (node.tag !== 'map') return [];
  return node.entries.flatMap(({ key: name, value }) =>
    leavesOf({ node: value, path: below(path, name) }, key === 'env' ? key : name),
  );
};

const isFilled = ({ key }: Leaf): boolean => SHELL_KEYS.has(key) || key === 'url' || key === 'tcp';

/**
 * True if a command or URL refers to this variable. Placeholders in the value of the variable are then
 * replaced.
 */
const isTakenUp = ({ path }: Leaf, filled: readonly Leaf[]): boolean => {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return filled.some(({ text }) => text.includes(`\${${name}`));
};

const warnOfPlaceholders = (leaves: readonly Leaf[], context: DecodeContext): void => {
  const filled = leaves.filter(isFilled);
  for (const leaf of leaves) {
    const placeholder = isFilled(leaf) ? undefined : placeholderIn(leaf.text);
    if (placeholder === undefined || (leaf.key === 'env' && isTakenUp(leaf, filled))) continue;
    reportAt(leaf, context, {
      code: 'ERR0223',
      severity: 'warning',
      message: `${placeholder} is not filled in here: it has a meaning in commands and URLs only`,
      hint: 'a run of blue_green finds its slot in the variable that env_var names',
    });
  }
};

/**
 * Matches `$$` without a name or bracket after it. In `$$HOME` the user wants the shell to expand the
 * variable.
 */
const LONE_DOLLAR = /(?<!\$)\$\$(?![\w$({'#?@*!-])/;

const warnOfPids = (leaves: readonly Leaf[], context: DecodeContext): void => {
  for (const leaf of leaves.filter(({ key, text }) => SHELL_KEYS.has(key) && LONE_DOLLAR.test(text)))
    reportAt(leaf, context, {
      code: 'ERR0216',
      severity: 'warning',
      message: '$$ stands for one dollar sign: the shell gets no process id',
      hint: 'write $$$$ for the process id of the shell',
    });
};

/** Keys in which `{instance}` is replaced by the number of the instance, if the service has `replicas`. */
const COUNTED_KEYS: ReadonlySet<string> = new Set([
  ...SHELL_KEYS,
  'env',
  'exec',
  'state_dir',
  'tcp',
  'url',
  'working_dir',
]);

/** Warns about `{instance}` where nothing replaces it. */
const warnOfInstances = (spot: Spot, leaves: readonly Leaf[], context: DecodeContext): void => {
  const hasInstances = written(spot, 'replicas') !== undefined;
  const isCounted = ({ key, path }: Leaf): boolean =>
    hasInstances && COUNTED_KEYS.has(key) && !path.includes('.env.secrets.');
  for (const leaf of leaves.filter((each) => /(?<!\$)\{instance\}/.test(each.text) && !isCounted(each)))
    reportAt(leaf, context, {
      code: 'ERR0223',
      severity: 'warning',
      message: `"{instance}" is not filled in ${hasInstances ? 'here' : 'without replicas'}`,
      ...(hasInstances && { hint: 'the program finds its number in SUP_INSTANCE' }),
    });
};

/** Warns about placeholders outside commands and URLs, and about `$$` in a command. */
export const warnOfTexts = ({ node, path }: Spot, context: DecodeContext): void => {
  const all = leavesOf({ node, path }, '');
  const leaves = all.filter(({ key }) => key !== 'exec');
  warnOfPlaceholders(leaves, context);
  warnOfPids(leaves, context);
  warnOfInstances({ node, path }, all, context);
};
