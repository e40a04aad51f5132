// Variables that differ between this shell and the supervisor. The supervisor's count. Their values are not
// shown: they may be secrets.

type Environment = Readonly<Record<string, string>>;

interface Sides {
  readonly supervisor: Environment;
  readonly shell: Environment;
}

/** A note for each name that differs, sorted by name. */
export const otherValues = (names: Iterable<string>, { supervisor, shell }: Sides): readonly string[] =>
  [...names].sort().flatMap((name) => {
    const [there, here] = [supervisor[name], shell[name]];
    if (there === here) return [];
    if (there === undefined) return [`${name} is set in this shell, but not for the supervisor that runs`];
    if (here === undefined) return [`${name} is not set in this shell; the supervisor that runs has a value`];
    return [`${name} has another value in this shell; that of the supervisor that runs counts`];
  });
