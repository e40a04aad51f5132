// The boot entry in the user's crontab, for machines with neither systemd nor OpenRC. Cron starts the
// guardian once, at boot (`@reboot`).
import { shellWord } from '../../../os/shell-word.ts';
import { type BootPlace, guardedLine, type InitSystem, MARKER, type Tool } from './init-system.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';

const END = `# ${MARKER}`;

/** Returns the crontab line. A `%` is escaped, because cron reads it as a newline. */
export const crontabText = (place: BootPlace): string => {
  const variables = [`PATH=${shellWord(place.path)}`, `SUP_DATA_DIR=${shellWord(place.dataDir)}`];
  const words = [...variables, ...guardedLine(place).map(shellWord), '>/dev/null 2>&1', '&'];
  return `@reboot ${words.join(' ').replaceAll('%', String.raw`\%`)} ${END}\n`;
};

const isOurs = (line: string): boolean => line.startsWith('@reboot ') && line.endsWith(END);

/** Returns the line that sup wrote into this crontab; `undefined` if there is none. */
export const ownLine = (table: string): string | undefined => {
  const line = table.split('\n').find(isOurs);
  return line === undefined ? undefined : `${line}\n`;
};

/** Returns the crontab with sup's line replaced by `line`, or removed if `line` is empty. */
export const tableWith = (table: string, line: string): string => {
  const others = table
    .split('\n')
    .filter((each) => !isOurs(each))
    .join('\n');
  return others === '' || others.endsWith('\n') ? `${others}${line}` : `${others}\n${line}`;
};

// The other lines of the crontab may have any encoding, and must not change. With `latin1` each byte is read
// as one character and written back unchanged.
const BYTES = 'latin1';
const toBytes = (text: string): string => Buffer.from(text).toString(BYTES);
const toText = (bytes: string): string => Buffer.from(bytes, BYTES).toString();

const failed = (words: string, stderr: string): Error =>
  failure({ code: 'ERR0604', detail: `${words}: ${toText(stderr).trim() || 'it failed'}` });

/**
 * Matches what `crontab -l` prints if the user has no crontab. The text differs between cronie and BusyBox.
 */
const NO_TABLE = /^no crontab for |No such file or directory|^\s*$/;

/**
 * Returns the user's crontab, or an empty text if there is none. Throws ERR0604 if the crontab cannot be
 * read, because writing it would then lose its lines.
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
