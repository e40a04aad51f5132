// A text to a place that may take a part of it at a time.

/** Writes all of it. A disk that becomes full takes a part first, and refuses only the rest. */
export const writeWhole = (text: string, write: (rest: Uint8Array) => number): void => {
  for (let rest: Uint8Array = Buffer.from(text); rest.length > 0;) rest = rest.subarray(write(rest));
};
