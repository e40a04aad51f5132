// An error of `sup`: its code, message and hint.
import type { ErrorDocument } from '../../../streams/wire/documents/documents.ts';

export const ErrorNote = ({
  error: { code, message, hint, problems = [], errors = [] },
}: {
  readonly error: ErrorDocument;
}) => (
  <div class="error-note">
    <p>
      <strong>{code}</strong> {message}
    </p>
    {problems.map((problem) => (
      <p key={`${problem.path} ${problem.code}`}>
        {problem.path}: {problem.message} ({problem.code}
        {problem.file === null ? '' : `, ${problem.file}:${problem.line ?? 1}`})
      </p>
    ))}
    {errors.map((error) => (
      <ErrorNote key={error.path} error={error} />
    ))}
    {hint === null ? null : <p class="quiet">{hint}</p>}
  </div>
);
