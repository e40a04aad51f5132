// The report of `npm run packages:test`: one line for each step. A step that fails ends its part of the test.
export interface Report {
  /** Runs a step and prints its line. Throws if the step does. */
  readonly step: <Value>(title: string, act: () => Value | Promise<Value>) => Promise<Value>;
  /** Runs a part of several steps. A failure in it is counted, and the next part runs nevertheless. */
  readonly part: (title: string, act: () => Promise<void>) => Promise<void>;
  /** Says why a part cannot be run on this machine. That is no failure. */
  readonly leaveOut: (why: string) => void;
  readonly failures: () => number;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

export const newReport = (): Report => {
  let failures = 0;
  return {
    step: async (title, act) => {
      const began = Date.now();
      try {
        const value = await act();
        say(`  ok      ${title} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
        return value;
      } catch (error) {
        say(`  FAILED  ${title}`);
        throw error;
      }
    },
    part: async (title, act) => {
      say(title);
      try {
        await act();
      } catch (error) {
        failures += 1;
        const text = error instanceof Error ? error.message : String(error);
        say(text.replaceAll(/^/gm, '          '));
      }
    },
    leaveOut: (why) => say(`  left out: ${why}`),
    failures: () => failures,
  };
};

/** Throws unless `holds`; `what` says what was seen. */
export const expectThat = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};
