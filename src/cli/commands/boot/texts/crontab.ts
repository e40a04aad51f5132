// The line of a crontab, for machines whose init system is none of those. Cron starts it once, at boot.
import { guardedLine, MARKER, shellWord, type BootPlace } from './place.ts';

const END = `# ${MARKER}`;

/** A `%` is a newline to cron. */
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

/** The table with this line, or without ours; everybody else's lines stay as they are. */
export const tableWith = (table: string, line: string): string => {
  const others = table
    .split('\n')
    .filter((each) => !isOurs(each))
    .join('\n');
  return others === '' || others.endsWith('\n') ? `${others}${line}` : `${others}\n${line}`;
};
