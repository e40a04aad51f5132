// A line of this user's crontab.
import { failure } from '../errors/failure.ts';
import type { InitSystem } from './init-system.ts';
import { crontabText, ownLine, tableWith } from './texts/crontab.ts';
import type { BootPlace } from './texts/place.ts';
import type { Tool } from './tool.ts';

/** No table is an empty one; other troubles are told when it is written. */
const tableOf = (tool: Tool): string => {
  const { status, stdout } = tool('crontab', ['-l']);
  return status === 0 ? stdout : '';
};

const write = (tool: Tool, table: string): void => {
  const { status, stderr } = tool('crontab', ['-'], table);
  if (status !== 0) throw failure({ code: 'ERR0604', detail: `crontab: ${stderr.trim() || 'it failed'}` });
};

export const crontab = (place: BootPlace, tool: Tool): InitSystem => {
  const text = crontabText(place);
  return {
    name: 'crontab',
    where: 'crontab -l',
    text,
    read: () => ownLine(tableOf(tool)),
    verify: () => false,
    place: () => write(tool, tableWith(tableOf(tool), text)),
    remove: () => write(tool, tableWith(tableOf(tool), '')),
    enabled: () => ownLine(tableOf(tool)) !== undefined,
    started: () => undefined,
    hints: () => ['cron starts it at boot and never again: between boots its guardian brings it back'],
  };
};
