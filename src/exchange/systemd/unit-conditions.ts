// Translates conditions of units (systemd.unit(5), "Conditions and Asserts") to a command for the shell.
import { shellWord } from '../../os/shell-word.ts';
import { commandLine, commandsIn } from './unit-commands.ts';
import type { UnitName } from './unit-specifiers.ts';
import { itemsOf, ownValue, type Plain } from '../key-table.ts';

/**
 * Returns a pattern for the shell: the path with a backslash before each special character that is no
 * wildcard.
 */
const pattern = (path: string): string => path.replaceAll(/[^\w@%+=:,./*?[\]-]/g, (letter) => `\\${letter}`);

const environmentTest = (value: string): string => {
  const [, name = value, wanted] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
  return wanted === undefined
    ? `printenv ${shellWord(name)} >/dev/null`
    : `test "$(printenv ${shellWord(name)})" = ${shellWord(wanted)}`;
};

const VIRTUAL: Readonly<Record<string, string>> = {
  yes: 'systemd-detect-virt -q',
  no: '! systemd-detect-virt -q',
  vm: 'systemd-detect-virt -q --vm',
  container: 'systemd-detect-virt -q --container',
};

/** The commands that test conditions, by the name of the condition without `Condition` or `Assert`. */
const TESTS: Readonly<Record<string, (value: string) => string>> = {
  PathExists: (path) => `test -e ${shellWord(path)}`,
  PathExistsGlob: (path) => `ls -d -- ${pattern(path)} >/dev/null 2>&1`,
  PathIsDirectory: (path) => `test -d ${shellWord(path)}`,
  PathIsSymbolicLink: (path) => `test -L ${shellWord(path)}`,
  PathIsMountPoint: (path) => `mountpoint -q ${shellWord(path)}`,
  PathIsReadWrite: (path) => `test -w ${shellWord(path)}`,
  DirectoryNotEmpty: (path) => `test -n "$(ls -A ${shellWord(path)} 2>/dev/null)"`,
  FileNotEmpty: (path) => `test -s ${shellWord(path)}`,
  FileIsExecutable: (path) => `test -f ${shellWord(path)} -a -x ${shellWord(path)}`,
  Environment: environmentTest,
  Host: (name) => `case "$(uname -n)" in ${pattern(name)}) true;; *) false;; esac`,
  KernelCommandLine: (word) =>
    `tr ' ' '\\n' </proc/cmdline | grep -q${word.includes('=') ? 'x' : 'E'} -- ${shellWord(word.includes('=') ? word : `^${word}(=|$)`)}`,
  User: (name) => `test "$(id -un)" = ${shellWord(name)} -o "$(id -u)" = ${shellWord(name)}`,
  Group: (name) => `id -Gn | grep -qw -- ${shellWord(name)}`,
  Architecture: (name) =>
    `test "$(uname -m)" = ${shellWord(name.replace('x86-64', 'x86_64').replace('arm64', 'aarch64'))}`,
  Virtualization: (value) =>
    ownValue(VIRTUAL, value) ?? `test "$(systemd-detect-virt)" = ${shellWord(value)}`,
};

interface Test {
  readonly command: string;
  /** True for a condition with `|`. If several conditions have `|`, only one of them must be met. */
  readonly isTrigger: boolean;
}

const negated = (command: string): string => (command.startsWith('! ') ? command.slice(2) : `! ${command}`);

/**
 * Returns the test for a line such as `[ConditionPathExists, '|!/x']`; the name of the condition if there is
 * no test.
 */
const testOf = (line: Plain): Test | string => {
  const [key = '', value = ''] = Array.isArray(line) ? (line as string[]) : [];
  const [, trigger, negation, given] = /^(\|)?\s*(!)?\s*(.*)$/s.exec(value) ?? [];
  const test = TESTS[key.replace(/^(?:Condition|Assert)/, '')];
  if (test === undefined || given === undefined) return key;
  const command = test(given);
  return { command: negation === undefined ? command : negated(command), isTrigger: trigger !== undefined };
};

interface ConditionCommand {
  /** The command, which exits with 0 if the conditions are met; absent if no condition can be tested. */
  readonly command?: string;
  readonly unknown: readonly string[];
}

const joinedTests = (tests: readonly Test[], others: readonly string[]): string | undefined => {
  const triggers = tests.filter(({ isTrigger }) => isTrigger).map(({ command }) => command);
  const any = triggers.length > 1 ? [`{ ${triggers.join(' || ')}; }`] : triggers;
  const all = [
    ...tests.filter(({ isTrigger }) => !isTrigger).map(({ command }) => command),
    ...any,
    ...others,
  ];
  return all.length === 0 ? undefined : all.join(' && ');
};

/** Returns the command that tests assertions. `others`: further commands that must succeed. */
export const assertionCommand = (value: Plain, others: readonly string[] = []): ConditionCommand => {
  const found = itemsOf(value).map(testOf);
  const tests = found.filter((test) => typeof test !== 'string');
  const command = joinedTests(tests, others);
  return {
    unknown: [...new Set(found.filter((test) => typeof test === 'string'))],
    ...(command !== undefined && { command }),
  };
};

/** Returns the command that tests conditions and runs the lines of `ExecCondition=`. */
export const conditionCommand = (
  value: Plain,
  lines: readonly string[],
  name: UnitName,
): ConditionCommand => {
  const commands = lines.flatMap((line) => commandsIn(line, name));
  return assertionCommand(value, commands.length === 0 ? [] : [`{ ${commandLine(commands)}; }`]);
};
