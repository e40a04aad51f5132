// A step that was refused for a reason beyond an errno, or because of a key below the step's own.
export class StepRefused extends Error {
  readonly key: string;
  /** The errno's name, as in `Refused`, where a refusal may be skipped. */
  readonly code: string;

  constructor(key: string, message: string, code = '') {
    super(message);
    this.key = key;
    this.code = code;
  }
}
