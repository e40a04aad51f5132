// A Dockerfile as far as ours go: its stages, and what each instruction says.
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Copy {
  /** The stage it comes from; absent: the repository. */
  readonly from?: string;
  readonly sources: readonly string[];
  readonly target: string;
}

export interface Image {
  readonly copies: readonly Copy[];
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly healthcheck: readonly string[];
  readonly runs: readonly string[];
}

const instructionsOf = (text: string): readonly Instruction[] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return { name, rest: rest.trim() };
    });

const copyOf = (rest: string): Copy => {
  const [, from, paths = ''] = /^(?:--from=(\S+)\s+)?(.*)$/.exec(rest) ?? [];
  const words = paths.split(/\s+/);
  return { sources: words.slice(0, -1), target: words.at(-1) ?? '', ...(from !== undefined && { from }) };
};

const listIn = (rest: string): readonly string[] =>
  JSON.parse(rest.slice(rest.indexOf('['))) as readonly string[];

const imageOf = (instructions: readonly Instruction[]): Image => {
  const all = (wanted: string): readonly string[] =>
    instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest);
  return {
    copies: all('COPY').map(copyOf),
    environment: Object.fromEntries(all('ENV').map((rest) => rest.split('=', 2))) as Record<string, string>,
    entrypoint: all('ENTRYPOINT').flatMap(listIn),
    healthcheck: all('HEALTHCHECK').flatMap(listIn),
    runs: all('RUN'),
  };
};

/** One for each `FROM`, in order. Throws for an instruction that cannot be read. */
export const imagesIn = (text: string): readonly Image[] => {
  const instructions = instructionsOf(text);
  const odd = instructions.find(({ name }) => name === '');
  if (odd !== undefined) throw new Error('a line is no instruction');
  const starts = instructions.flatMap(({ name }, at) => (name === 'FROM' ? [at] : []));
  return starts.map((start, place) => imageOf(instructions.slice(start, starts[place + 1])));
};
