// Reads the values of `env.secrets` just before a process is started. Events and records contain only the
// paths of the files, never the values (`docs/manifest.md`, "Secrets").
// Rules: `docs/behaviour.md`, "Starting", "Secrets"; `docs/behaviour.md`, "Trust".
import { MOST_SECRET_VARIABLE_BYTES, readTrusted, secretTrouble } from '../../os/files/trusted-file.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { ServiceError } from '../../streams/domain/errors/error.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Environment } from '../../streams/env/service-environment.ts';

type Files = NonNullable<ServiceSpec['env']['secrets']>;

/** Thrown if a secret cannot be used. The process is then not started. */
export class SecretNotRead extends Error {
  readonly #name: string;
  readonly #file: string;
  readonly #detail: string;

  constructor(name: string, file: string, detail: string) {
    super(`env.secrets.${name}: ${file}: ${detail}`);
    [this.#name, this.#file, this.#detail] = [name, file, detail];
  }

  errorOf(service: ServiceId): Extract<ServiceError, { code: 'ERR0124' }> {
    return { code: 'ERR0124', service, name: this.#name, file: this.#file, detail: this.#detail };
  }
}

const read = (file: string, sys: boolean): { readonly value: string } | { readonly trouble: string } => {
  const reading = readTrusted(file, { uid: process.getuid?.() ?? 0, sys }, MOST_SECRET_VARIABLE_BYTES);
  const trouble = secretTrouble(reading, MOST_SECRET_VARIABLE_BYTES);
  if (trouble !== undefined) return { trouble };
  return { value: reading.tag === 'read' ? reading.text.replace(/\r?\n$/, '') : '' };
};

/** Returns the variables of the secrets in these files. Throws `SecretNotRead` if a file cannot be used. */
export const secretValues = (files: Files | undefined, sys: boolean): Environment =>
  Object.fromEntries(
    Object.entries(files ?? {}).map(([name, file]) => {
      const reading = read(file, sys);
      if ('trouble' in reading) throw new SecretNotRead(name, file, reading.trouble);
      return [name, reading.value];
    }),
  );

/**
 * Returns the variables of the secrets that can be read, and leaves out the others. It is for hooks: a hook
 * that reports a failed start should run even if a secret is the cause.
 */
export const readableSecrets = (files: Files | undefined, sys: boolean): Environment =>
  Object.fromEntries(
    Object.entries(files ?? {}).flatMap(([name, file]) => {
      const reading = read(file, sys);
      return 'value' in reading ? [[name, reading.value]] : [];
    }),
  );
