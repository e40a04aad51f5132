// The table that translates the keys of systemd's units to keys of `sup`, and back.
import { CALL_ROWS } from './rows/call-rows.ts';
import { COMMAND_ROWS } from './rows/command-rows.ts';
import { ENVIRONMENT_ROWS } from './rows/environment-rows.ts';
import { OWN_FILE_ROWS } from './rows/own-file-rows.ts';
import { LIMIT_ROWS } from './rows/limit-rows.ts';
import { PATH_ROWS } from './rows/path-rows.ts';
import { PROTECT_ROWS } from './rows/protect-rows.ts';
import { RESTART_ROWS } from './rows/restart-rows.ts';
import { SANDBOX_ROWS } from './rows/sandbox-rows.ts';
import { SOCKET_ROWS } from './rows/socket-rows.ts';
import { START_ROWS } from './rows/start-rows.ts';
import { TIMER_ROWS } from './rows/timer-rows.ts';
import { UNIT_ROWS } from './rows/unit-rows.ts';
import { type UnitContext, type UnitRow, withLoss } from './unit-context.ts';
import { specifierLeft, withoutSpecifiers } from './unit-specifiers.ts';
import { isList, type Plain, type Setting, type RowDescription } from '../key-table.ts';

const SERVICE_ROWS: readonly UnitRow[] = [
  ...UNIT_ROWS,
  ...COMMAND_ROWS,
  ...START_ROWS,
  ...RESTART_ROWS,
  ...ENVIRONMENT_ROWS,
  ...OWN_FILE_ROWS,
  ...LIMIT_ROWS,
  ...SANDBOX_ROWS,
  ...PROTECT_ROWS,
  ...PATH_ROWS,
  ...CALL_ROWS,
];

const replaced = (value: Plain, context: UnitContext): Plain => {
  if (typeof value === 'string') return withoutSpecifiers(value, context.unit.name);
  return isList(value) ? value.map((each) => replaced(each, context)) : value;
};

/** True for the row of a command line. Its specifiers are replaced after the line is split into words. */
const isCommand = ({ theirs }: UnitRow): boolean => /^Exec(?:Start|Stop|Reload|Condition)/.test(theirs);

/**
 * Returns a copy of the row in which `read` gets the value after its specifiers are replaced. A specifier
 * that depends on the machine is not replaced, and is reported as lost.
 */
const prepared = (row: UnitRow): UnitRow => {
  const { read } = row;
  if (read === undefined) return row;
  return {
    ...row,
    read: (setting: Setting, context) => {
      const value = isCommand(row) ? setting.value : replaced(setting.value, context);
      const translation = read({ ...setting, value }, context);
      const left = specifierLeft(JSON.stringify(setting.value));
      return left === undefined || translation.keys === undefined
        ? translation
        : withLoss(translation, `${left} is a fact of the machine, and stays as it is: write its value`);
    },
  };
};

export const PREPARED_ROWS = SERVICE_ROWS.map(prepared);
export const PREPARED_TIMER_ROWS = TIMER_ROWS.map(prepared);
export const PREPARED_SOCKET_ROWS = SOCKET_ROWS.map(prepared);

/** The rows that write a service. The rows of a timer write nothing for a service without a schedule. */
export const WRITTEN_ROWS: readonly UnitRow[] = [...SERVICE_ROWS, ...TIMER_ROWS, ...SOCKET_ROWS];

const ofSection =
  (section: string) =>
  (row: UnitRow): RowDescription =>
    row.read === undefined ? row : { ...row, theirs: `[${section}] ${row.theirs}` };

/** All rows, for the pages of the format in `docs/`. */
export const ALL_ROWS: readonly RowDescription[] = [
  ...SERVICE_ROWS,
  ...TIMER_ROWS.map(ofSection('Timer')),
  ...SOCKET_ROWS.map(ofSection('Socket')),
];
