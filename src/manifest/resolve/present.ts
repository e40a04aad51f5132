// Drops keys with an undefined value: in a resolved spec an optional field is present or absent.

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

type Present<T> = { readonly [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  readonly [K in OptionalKeys<T>]?: Exclude<T[K], undefined>;
};

export const present = <T extends object>(fields: T): Present<T> =>
  // The filter does exactly what the type says, which the compiler cannot see.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
