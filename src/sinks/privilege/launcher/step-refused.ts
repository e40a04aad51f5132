// A step that was refused for a reason that is more than the name of an errno, or that a key below the step's own names.
export class StepRefused extends Error {
  readonly key: string;
  /** As `Refused` has it: the name of errno, where a refusal may be passed over. */
  readonly code: string;

  constructor(key: string, message: string, code = '') {
    super(message);
    this.key = key;
    this.code = code;
  }
}
