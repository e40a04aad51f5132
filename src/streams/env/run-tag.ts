// The run tag: environment variables that name the run of a process. The supervisor sets them for each
// process that it starts, descendants inherit them, and a process scan reads them
// (`sources/process/read-tags.ts`).
// Rules: `docs/behaviour.md`, "Environment", "The run tag".
import { NAME_PATTERN, runId, type RunId, type ServiceId } from '../domain/ids.ts';

/** The run and supervisor to which a process belongs. */
export interface Identity {
  readonly run: RunId;
  /** Identifies the supervisor: two of them may both have a `shop/web`. */
  readonly dataDir: string;
  /** The name of a child; absent for a run of the service itself. */
  readonly child?: string | undefined;
}

/** Returns `SUP_UNIT`, by which the processes of a run are found: `<project>/<service>#<run>`. */
export const unitMark = (service: string, run: RunId): string => `${service}#${run}`;

/** The name of a child, in the environment of the child and its descendants. */
export const CHILD = 'SUP_CHILD';

/** The variables of the run tag: which run of which supervisor started a process. */
export const MARKS: readonly string[] = ['SUP_UNIT', 'SUP_SUPERVISOR', CHILD];

/** Returns the variables that mark a process as part of the run. */
export const runTag = (
  service: string,
  { run, dataDir, child }: Identity,
): Readonly<Record<string, string>> => ({
  SUP_UNIT: unitMark(service, run),
  SUP_SUPERVISOR: dataDir,
  ...(child !== undefined && { [CHILD]: child }),
});

const NAME = NAME_PATTERN.source.slice(1, -1);
/** `shop/web#4`, `shop/web@2#4`; tags of the supervisor's own commands begin with `!`. */
const MARK = new RegExp(`^(${NAME}/${NAME}(?:@\\d{1,6})?)#(\\d{1,15})$`);
const COMMAND_MARK = new RegExp(`^!command/${NAME}#\\d{1,15}$`);

/** True if a supervisor can have written the tag. A tag in another form is ignored. */
export const isMark = (text: string): boolean => MARK.test(text) || COMMAND_MARK.test(text);

/** Returns the service and the run that a run tag names; `undefined` for the tag of a command. */
export const runOfMark = (mark: string): { readonly service: ServiceId; readonly run: RunId } | undefined => {
  const [, service, run] = MARK.exec(mark) ?? [];
  // `unitMark` made the tag from the id of a service.
  return service === undefined ? undefined : { service: service as ServiceId, run: runId(Number(run)) };
};
