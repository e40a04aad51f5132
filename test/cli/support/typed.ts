// Keys as a user presses them, from what a terminal sends for them.
const NAMES: Readonly<Record<string, string>> = {
  ...{ '\u001b[A': 'up', '\u001b[B': 'down', '\u001b[C': 'right', '\u001b[D': 'left' },
  ...{ '\u001b[5~': 'page-up', '\u001b[6~': 'page-down', '\u001b[H': 'home', '\u001b[F': 'end' },
  ...{ '\u001b': 'escape', '\u0003': 'interrupt', '\u001a': 'suspend' },
};

// eslint-disable-next-line no-control-regex -- control characters are exactly what terminals send
const KEY = /\u001b\[\d*[A-Z~]|[^]/gu;

export const keysIn = (typed: string): readonly string[] =>
  (typed.match(KEY) ?? []).map((sequence) => NAMES[sequence] ?? sequence);
