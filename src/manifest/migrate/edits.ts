// Replacements in a text, given by offsets into the original text.

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies the edits. They must not overlap; their order does not matter. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const ordered = [...edits].sort((one, other) => one.start - other.start);
  let result = '';
  let at = 0;
  for (const edit of ordered) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
};
