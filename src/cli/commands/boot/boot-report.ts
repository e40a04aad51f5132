// The state of a boot entry, as text and as a document.
import { type InitSystem, MARKER } from './init-system.ts';
import type { BootDocument } from '../../../streams/wire/documents/machine-documents.ts';

export type BootAction = BootDocument['action'];

export interface BootReport extends Pick<
  BootDocument,
  'action' | 'installed' | 'ours' | 'enabled' | 'current' | 'supervises' | 'changed' | 'verified'
> {
  readonly sys: boolean;
  readonly init: InitSystem;
  readonly dryRun: boolean;
}

/** Returns the state of the entry. `supervisors`: pids of the running supervisor and its guardian. */
export const standing = (
  init: InitSystem,
  supervisors: readonly number[],
): Pick<BootReport, 'installed' | 'ours' | 'enabled' | 'current' | 'supervises'> => {
  const text = init.read();
  const started = init.started();
  return {
    installed: text !== undefined,
    ours: init.packaged ?? text?.includes(MARKER) ?? false,
    enabled: text !== undefined && init.enabled(),
    current: text === init.text,
    supervises: supervisors.length === 0 || started === undefined ? null : supervisors.includes(started),
  };
};

export const isWell = ({ installed, ours, enabled, current }: BootReport): boolean =>
  installed && ours && enabled && current;

export const bootDocument = (report: BootReport): BootDocument => ({
  schema: 'sup.boot/1',
  action: report.action,
  scope: report.sys ? 'system' : 'user',
  init: report.init.name,
  where: report.init.where,
  installed: report.installed,
  ours: report.ours,
  enabled: report.enabled,
  current: report.current,
  supervises: report.supervises,
  changed: report.changed,
  verified: report.verified,
  dry_run: report.dryRun,
  text: report.init.text,
  hints: report.init.hints(),
});

const SUPERVISES = {
  true: 'the supervisor that runs was started by it',
  false: 'the supervisor that runs was not started by it',
};

const conditionOf = (init: InitSystem, current: boolean): string => {
  if (init.packaged) return 'it came with the package';
  return current
    ? 'it is as it would be written now'
    : 'it is not as it would be written now; sup boot install renews it';
};

/** Returns the lines of `sup boot status`, one for each fact. */
export const statusLines = (report: BootReport): readonly string[] => {
  const { init, installed, ours, enabled, current, supervises } = report;
  if (!installed) return [`not installed (${init.name}, ${init.where}); sup boot install`];
  if (!ours) return [`${init.where} (${init.name}) was not written by sup boot`];
  return [
    `installed: ${init.where} (${init.name})`,
    enabled ? 'enabled: it starts at boot' : 'not enabled; to enable it: sup boot install',
    conditionOf(init, current),
    ...(supervises === null ? [] : [SUPERVISES[`${supervises}`]]),
    ...init.hints(),
  ];
};
