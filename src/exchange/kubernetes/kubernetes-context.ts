// What the rows of Kubernetes need to know of a service.
import type { ExportedService } from '../export-format.ts';
import type { KeyRow, Plain } from '../key-table.ts';

/** What becomes of a service: one with a schedule, one that runs once, or one that runs all the time. */
export type WorkloadKind = 'CronJob' | 'Job' | 'Deployment';

export interface KubernetesContext extends ExportedService {
  readonly kind: WorkloadKind;
  /** The name of all its objects, a DNS label. */
  readonly objectName: string;
  /** True if the manifest has this dotted key, or one below it. */
  readonly has: (key: string) => boolean;
}

export type KubernetesRow = KeyRow<never, KubernetesContext>;

export const kindOf = ({ spec, isOneShot }: ExportedService): WorkloadKind => {
  if (spec.kind === 'cron') return 'CronJob';
  return isOneShot ? 'Job' : 'Deployment';
};

/** Returns seconds, rounded up, for keys that take whole seconds. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** Escapes a text of `command`, `args` or `env`, in which Kubernetes replaces `$(NAME)` and `$$`. */
export const literal = (text: string): string => text.replaceAll(/\$(?=[$(])/g, '$$$$');

export const shellCommand = (command: string): readonly Plain[] => ['sh', '-c', command];

/** The labels by which the objects of a service are found. */
export const labelsOf = ({ objectName, spec }: KubernetesContext): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': objectName,
  'app.kubernetes.io/part-of': labelValue(spec.project),
});

const isAlphanumeric = (character: string): boolean => /[a-z\d]/i.test(character);

/** Returns a value that a label permits: at most 63 characters, the first and the last a letter or digit. */
const labelValue = (text: string): string => {
  const characters = Array.from(text.slice(0, 63));
  const [first, last] = [characters.findIndex(isAlphanumeric), characters.findLastIndex(isAlphanumeric)];
  return text.slice(Math.max(0, first), last + 1) || 'default';
};
