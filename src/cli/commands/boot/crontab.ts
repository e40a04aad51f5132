// The boot entry in the user's crontab, for machines with neither systemd nor OpenRC. Cron runs it once,
// at boot.
import { type BootPlace, guardedLine, type InitSystem, MARKER, shellWord, type Tool } from './init-system.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';

const END = `# ${MARKER}`;

/** Cron reads `%` as a newline. */
export const crontabText = (place: BootPlace): string => {
  const variables = [`PATH=${shellWord(place.path)}`, `SUP_DATA_DIR=${shellWord(place.dataDir)}`];
  const words = [...variables, ...guardedLine(place).map(shellWord), '>/dev/null 2>&1', '&'];
  return `@reboot ${words.join(' ').replaceAll('%', String.raw`\%`)} ${END}\n`;
};

const isOurs = (line: string): boolean => line.startsWith('@reboot ') && line.endsWith(END);

/** Our line of a table, if it has one. */
export const ownLine = (table: string): string | undefined => {
  const line = table.split('\n').find(isOurs);
  return line === undefined ? undefined : `${line}\n`;
};

/** Replaces our line by `line`, or removes it if that is empty; other lines stay as they are. */
export const tableWith = (table: string, line: string): string => {
  const others = table
    .split('\n')
    .filter((each) => !isOurs(each))
    .join('\n');
  return others === '' || others.endsWith('\n') ? `${others}${line}` : `${others}\n${line}`;
};

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
