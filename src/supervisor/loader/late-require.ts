// `require` for a program that begins often: parts of Node that most starts never use are loaded with the first look into
// them. With what they bring along they take as long as everything of our own.

const LATE: ReadonlySet<string> = new Set(
  ['child_process', 'crypto', 'fs/promises', 'http', 'https', 'net', 'tls', 'zlib'].flatMap((name) => [
    name,
    `node:${name}`,
  ]),
);

type Load = (name: string) => object;

const late = (name: string, load: Load): object =>
  new Proxy(
    {},
    {
      get: (_, member): unknown => Reflect.get(load(name), member),
      has: (_, member) => Reflect.has(load(name), member),
      // Who copies all of it, as `import name from` does in a bundle, has all of it, and has it loaded at once.
      ownKeys: () => Reflect.ownKeys(load(name)),
      getOwnPropertyDescriptor: (_, member) => {
        const found = Reflect.getOwnPropertyDescriptor(load(name), member);
        return found && { ...found, configurable: true };
      },
    },
  );

/** A `require` that loads rarely used built-in modules of Node when they are first used. */
export const lateRequire =
  (load: Load): Load =>
  (name) =>
    LATE.has(name) ? late(name, load) : load(name);
