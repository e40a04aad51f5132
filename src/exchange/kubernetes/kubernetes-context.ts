// The context that the rows of the Kubernetes table get for a service.
import type { ExportedService } from '../export-format.ts';
import type { KeyRow, Plain } from '../key-table.ts';

/**
 * The object for a service: `CronJob` with a schedule, `Job` if it runs once, `Deployment` if it runs all the
 * time.
 */
export type WorkloadKind = 'CronJob' | 'Job' | 'Deployment';

export interface KubernetesContext extends ExportedService {
  readonly kind: WorkloadKind;
  /** The name of all objects of the service, a DNS label. */
  readonly objectName: string;
  /** True if the manifest has this dotted key, or a key below it, for the service. */
  readonly has: (key: string) => boolean;
}

export type KubernetesRow = KeyRow<never, KubernetesContext>;

export const kindOf = ({ spec, isOneShot }: ExportedService): WorkloadKind => {
  if (spec.kind === 'cron') return 'CronJob';
  return isOneShot ? 'Job' : 'Deployment';
};

/** Returns a time in ms as whole seconds, rounded up, at least 1. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** Escapes a text of `command`, `args` or `env`, in which Kubernetes replaces `$(NAME)` and `$$`. */
export const literal = (text: string): string => text.replaceAll(/\$(?=[$(])/g, '$$$$');

export const shellCommand = (command: string): readonly Plain[] => ['sh', '-c', command];

/** Returns the labels that identify the objects of a service. */
export const labelsOf = ({ objectName, spec }: KubernetesContext): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': objectName,
  'app.kubernetes.io/part-of': labelValue(spec.project),
});

const isAlphanumeric = (character: string): boolean => /[a-z\d]/i.test(character);

/**
 * Returns the text as the value of a label: at most 63 characters, of which the first and the last are a
 * letter or digit.
 */
const labelValue = (text: string): string => {
  const characters = Array.from(text.slice(0, 63));
  const [first, last] = [characters.findIndex(isAlphanumeric), characters.findLastIndex(isAlphanumeric)];
  return text.slice(Math.max(0, first), last + 1) || 'default';
};
