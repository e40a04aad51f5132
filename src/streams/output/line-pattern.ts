// The pattern of a `health_check` by `log`. re2js matches in linear time, so that no output of a program can
// block the supervisor (D-133). The bundled program loads re2js only when the first pattern is compiled.
import { RE2JS } from 're2js';
import { messageOf } from '../domain/errors/thrown.ts';

export type LinePattern =
  | { readonly tag: 'pattern'; readonly isIn: (line: string) => boolean }
  | { readonly tag: 'invalid'; readonly why: string };

/** Compiles a regular expression in the syntax of RE2. The pattern may match any part of a line. */
export const linePattern = (text: string): LinePattern => {
  try {
    const compiled = RE2JS.compile(text);
    return { tag: 'pattern', isIn: (line) => compiled.test(line) };
  } catch (error) {
    return { tag: 'invalid', why: messageOf(error).replace(/^error parsing regexp: /, '') };
  }
};
