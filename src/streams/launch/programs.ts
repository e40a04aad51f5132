// Which files a command line for `sh -c` runs, as far as its words tell: enough for a warning, and for nothing else.

const INTERPRETERS =
  /^(?:.*\/)?(?:sh|bash|dash|ash|ksh|zsh|python[\d.]*|perl|ruby|node|php|env|exec|nohup|nice)$/;

/** Without quotes around it. */
const bare = (word: string): string => word.replaceAll(/["']/g, '');

const isAssignment = (word: string): boolean => /^\w+=/.test(word);

/** The program, and behind an interpreter what that runs. */
const programsOf = (words: readonly string[]): readonly string[] => {
  const [program, ...more] = words.filter((word) => !isAssignment(word));
  if (program === undefined) return [];
  const rest = more.filter((word) => !word.startsWith('-'));
  return INTERPRETERS.test(program) ? [program, ...programsOf(rest)] : [program];
};

/** Those that are named by a path; what is looked for in `PATH` is not told of. */
export const programsIn = (command: string): readonly string[] =>
  command
    .split(/&&|\|\||[;|&\n(){}]/)
    .map((part) => part.split(/\s+/).map(bare).filter(Boolean))
    .flatMap(programsOf)
    .filter((program) => program.includes('/'));
