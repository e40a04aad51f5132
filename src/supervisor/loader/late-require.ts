// A `require` for programs that start often: built-in modules that most starts never use are loaded at first
// access. Loading them takes as long as loading all of our own code.

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
      // Copying all members, as `import name from` does in a bundle, loads the module at once.
      ownKeys: () => Reflect.ownKeys(load(name)),
      getOwnPropertyDescriptor: (_, member) => {
        const found = Reflect.getOwnPropertyDescriptor(load(name), member);
        return found && { ...found, configurable: true };
      },
    },
  );

/** Returns a `require` that loads rarely used built-in modules of Node at first access. */
export const lateRequire =
  (load: Load): Load =>
  (name) =>
    LATE.has(name) ? late(name, load) : load(name);
