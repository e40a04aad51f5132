// `{slot}` and similar placeholders are filled in for blue/green only, and never in `exec`. Elsewhere they
// would silently be taken literally (`docs/manifest.md`, "blue_green").
import type { Reload } from '../../streams/domain/declared/spec.ts';
import type { Finding } from './report.ts';
import { written } from './not-carried-out.ts';
import { quoted } from './quote.ts';
import { complain, type Context, type Spot } from '../decode/shapes/decoder.ts';

/** After a `$` the shell reads a variable of that name. */
const PLACEHOLDER = /(?<!\$)\{(slot|candidate_slot|active_slot)\}/;

/** The first placeholder in a text, quoted. */
export const placeholderIn = (text: string): string | undefined => {
  const [found] = PLACEHOLDER.exec(text) ?? [];
  return found === undefined ? undefined : quoted(found);
};

interface Runs {
  readonly command?: string | undefined;
}

interface Outcomes {
  readonly success?: Runs | undefined;
  readonly error?: Runs | undefined;
}

/** The commands and URLs of a service after variables are expanded. */
interface Declared extends Runs {
  readonly skip: boolean | string;
  readonly reload?: Reload | undefined;
  readonly hooks?: Readonly<Record<string, (Runs & Outcomes) | undefined>> | undefined;
  readonly deployment: {
    readonly pre_start?: string | undefined;
    readonly health_check?: (Runs & { readonly url?: string | undefined }) | undefined;
  };
}

type Text = readonly [key: string, text: string | undefined];

const textsOf = ({
  command,
  skip,
  reload,
  hooks = {},
  deployment: { pre_start: before, health_check: check },
}: Declared) => [
  ['command', command] as const,
  ['skip', String(skip)] as const,
  ['reload', reload?.tag === 'command' ? reload.command : undefined] as const,
  ...Object.entries(hooks).flatMap(([name, hook]): readonly Text[] => [
    [`hooks.${name}.command`, hook?.command],
    [`hooks.${name}.success.command`, hook?.success?.command],
    [`hooks.${name}.error.command`, hook?.error?.command],
  ]),
  ['deployment.pre_start', before] as const,
  ['deployment.health_check.command', check?.command] as const,
  ['deployment.health_check.url', check?.url] as const,
];

const findingOf = (key: string, placeholder: string): Finding => ({
  code: 'ERR0213',
  message: `${placeholder} is filled in for blue_green only, and there is none here`,
  ...(!key.endsWith('.url') && { hint: 'for the text itself, part it with quotes of the shell: {"slot"}' }),
});

/** Refuses placeholders in a service without slots. `spot` is the service. */
export const refusePlaceholders = (declared: Declared, spot: Spot, context: Context): void => {
  if (written(spot, 'deployment.blue_green') !== undefined) return;
  for (const [key, text = ''] of textsOf(declared)) {
    const [placeholder, at] = [placeholderIn(text), written(spot, key)];
    if (placeholder !== undefined && at !== undefined) complain(at, context, findingOf(key, placeholder));
  }
};
