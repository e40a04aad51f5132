// Whether a text is the address of something that answers HTTP.

/** `URL` takes braces for a part of a name; no name has them. */
export const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) && !/[{}]/.test(new URL(text).host);
