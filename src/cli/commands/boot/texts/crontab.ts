// The crontab line, for machines with neither systemd nor OpenRC. Cron runs it once, at boot.
import { guardedLine, MARKER, shellWord, type BootPlace } from './place.ts';

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
