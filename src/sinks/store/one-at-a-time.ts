// Writes of one file never overtake each other: an older state must not replace a newer one.

/** The same write, begun when the one before it is over, however that ended. */
export const oneAtATime = <T>(write: (value: T) => Promise<void>): ((value: T) => Promise<void>) => {
  let before: Promise<void> = Promise.resolve();
  return (value) => {
    const written = before.then(() => write(value));
    before = written.catch(() => undefined);
    return written;
  };
};
