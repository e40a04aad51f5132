// Variables that mean something else in this shell than for the supervisor, whose environment counts. Their values are
// not told: they may be secrets.

type Environment = Readonly<Record<string, string>>;

interface Sides {
  readonly supervisor: Environment;
  readonly shell: Environment;
}

/** What there is to say of each name that differs, in the order of the names. */
export const otherValues = (names: Iterable<string>, { supervisor, shell }: Sides): readonly string[] =>
  [...names].sort().flatMap((name) => {
    const [there, here] = [supervisor[name], shell[name]];
    if (there === here) return [];
    if (there === undefined) return [`${name} is set in this shell, but not for the supervisor that runs`];
    if (here === undefined) return [`${name} is not set in this shell; the supervisor that runs has a value`];
    return [`${name} has another value in this shell; that of the supervisor that runs counts`];
  });
