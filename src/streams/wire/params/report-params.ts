// Checks the parameters of the command `report`. A program of a service sends this command. Such programs are
// not trusted.
// Rules: `docs/behaviour.md`, "Events that a service reports", "Size and rate".
import type { Command, Report } from '../../domain/command.ts';
import { accept, checkFields, checkText, refuse, type Checked } from './checked-fields.ts';

/**
 * The limits of one event: the characters of its text, the number of keys in `data`, the characters of each
 * value.
 */
export const LONGEST_TEXT = 1000;
export const MOST_DATA = 20;
export const LONGEST_VALUE = 500;
/** The pattern that a key of `data` must match. */
export const DATA_KEY = /^[A-Za-z_][\w.-]{0,63}$/;

const isEntry = (row: readonly [string, unknown]): row is readonly [string, string] =>
  DATA_KEY.test(row[0]) && typeof row[1] === 'string' && row[1].length <= LONGEST_VALUE;

const checkData = (value: unknown): Checked<Report['data']> => {
  if (typeof value !== 'object' || value === null) return refuse('params.report.data: is not a map');
  const rows: readonly (readonly [string, unknown])[] = Object.entries(value);
  const entries = rows.filter(isEntry);
  return rows.length <= MOST_DATA && entries.length === rows.length
    ? accept(Object.fromEntries(entries))
    : refuse('params.report.data: has too many keys, a wrong key, or a value that is too long');
};

const isText = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= LONGEST_TEXT;

const isLevel = (level: unknown): level is Report['level'] => level === 'info' || level === 'warning';

const checkUnit = (value: unknown): Checked<string | undefined> =>
  value === undefined ? accept(undefined) : checkText(value, 'params.report.unit');

const checkReport = (value: unknown): Checked<Report> => {
  const fields = checkFields(value, 'params.report', ['text', 'level', 'data', 'unit']);
  if (!fields.ok) return fields;
  const { text, level } = fields.value;
  if (!isText(text)) return refuse(`params.report.text: is no text of 1 to ${LONGEST_TEXT} characters`);
  if (!isLevel(level)) return refuse('params.report.level: is neither info nor warning');
  const [data, unit] = [checkData(fields.value['data']), checkUnit(fields.value['unit'])];
  if (!data.ok) return data;
  if (!unit.ok) return unit;
  return accept({ text, level, data: data.value, ...(unit.value !== undefined && { unit: unit.value }) });
};

/** Returns the command `report` with the checked event of a service. */
export const checkReportCommand = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'report']);
  if (!fields.ok) return fields;
  const report = checkReport(fields.value['report']);
  return report.ok ? accept({ type: 'report', report: report.value }) : report;
};
