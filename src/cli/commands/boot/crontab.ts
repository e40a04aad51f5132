// The boot entry in the user's crontab.
import { failure } from '../../../streams/views/errors/failure.ts';
import type { InitSystem } from './init-system.ts';
import { crontabText, ownLine, tableWith } from './texts/crontab.ts';
import type { BootPlace } from './texts/place.ts';
import type { Tool } from './tool.ts';

// Other lines may have any encoding and must not change, so a table is read as bytes.
const BYTES = 'latin1';
const toBytes = (text: string): string => Buffer.from(text).toString(BYTES);
const toText = (bytes: string): string => Buffer.from(bytes, BYTES).toString();

const failed = (words: string, stderr: string): Error =>
  failure({ code: 'ERR0604', detail: `${words}: ${toText(stderr).trim() || 'it failed'}` });

/** Cronie and others, then BusyBox; some print nothing. */
const NO_TABLE = /^no crontab for |No such file or directory|^\s*$/;

/**
 * Empty if there is no table or no crontab program. Throws ERR0604 if the table cannot be read, since writing
 * could lose lines.
 */
const tableOf = (tool: Tool): string => {
  const { status, stdout, stderr, absent } = tool('crontab', ['-l'], { encoding: BYTES });
  if (status === 0) return stdout;
  if (absent) return '';
  if (status === 1 && NO_TABLE.test(stderr)) return '';
  throw failed('crontab -l', stderr);
};

const write = (tool: Tool, table: string): void => {
  const { status, stderr } = tool('crontab', ['-'], { input: table, encoding: BYTES });
  if (status !== 0) throw failed('crontab', stderr);
};

export const crontab = (place: BootPlace, tool: Tool): InitSystem => {
  const text = crontabText(place);
  return {
    name: 'crontab',
    where: 'crontab -l',
    text,
    read: () => {
      const line = ownLine(tableOf(tool));
      return line && toText(line);
    },
    verify: () => false,
    place: () => write(tool, tableWith(tableOf(tool), toBytes(text))),
    remove: () => write(tool, tableWith(tableOf(tool), '')),
    enabled: () => ownLine(tableOf(tool)) !== undefined,
    started: () => undefined,
    hints: () => ['cron starts it at boot and never again: between boots its guardian brings it back'],
  };
};
