// Writes to a place that may take only a part at a time.

/** Writes all of the text. A disk that becomes full takes a part first, and refuses only the rest. */
export const writeWhole = (text: string, write: (rest: Uint8Array) => number): void => {
  for (let rest: Uint8Array = Buffer.from(text); rest.length > 0;) rest = rest.subarray(write(rest));
};
