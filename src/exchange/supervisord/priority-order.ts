// The order of priorities as dependencies.
import type { IniProgram } from './supervisord-programs.ts';

export interface OrderedProgram {
  readonly program: IniProgram;
  readonly name: string;
  /** The project; absent for programs without a group. */
  readonly project?: string;
}

/**
 * Returns the services that must start before this one: those of the same project with the next lower
 * priority. Programs that do not start by themselves have no place in the order.
 */
export const startsAfter = (
  { program, project }: OrderedProgram,
  all: readonly OrderedProgram[],
): readonly string[] => {
  if (!program.autostart) return [];
  const before = all.filter(
    (other) =>
      other.project === project && other.program.autostart && other.program.priority < program.priority,
  );
  const next = Math.max(...before.map((other) => other.program.priority));
  return before.filter((other) => other.program.priority === next).map(({ name }) => name);
};
