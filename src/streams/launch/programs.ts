// The files a `sh -c` command line runs, as far as its words tell: good enough for a warning only.

const INTERPRETERS =
  /^(?:.*\/)?(?:sh|bash|dash|ash|ksh|zsh|python[\d.]*|perl|ruby|node|php|env|exec|nohup|nice)$/;

/** Returns the word without quotes. */
const bare = (word: string): string => word.replaceAll(/["']/g, '');

const isAssignment = (word: string): boolean => /^\w+=/.test(word);

/** Returns the program, and after an interpreter what it runs. */
const programsOf = (words: readonly string[]): readonly string[] => {
  const [program, ...more] = words.filter((word) => !isAssignment(word));
  if (program === undefined) return [];
  const rest = more.filter((word) => !word.startsWith('-'));
  return INTERPRETERS.test(program) ? [program, ...programsOf(rest)] : [program];
};

/**
 * Returns the programs that a `sh -c` command line names by a path, as far as its words tell: good enough for a
 * warning only. Those found through `PATH` are left out.
 */
export const programsIn = (command: string): readonly string[] =>
  command
    .split(/&&|\|\||[;|&\n(){}]/)
    .map((part) => part.split(/\s+/).map(bare).filter(Boolean))
    .flatMap(programsOf)
    .filter((program) => program.includes('/'));
