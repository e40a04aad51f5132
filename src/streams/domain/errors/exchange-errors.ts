// The facts of errors of import and export.
interface Detailed {
  readonly detail: string;
}

export interface ExchangeErrors {
  /** The format of a file to import is not known. */
  ERR0801: { readonly file: string; readonly formats: readonly string[] };
  /** The file breaks the syntax of its format. */
  ERR0802: { readonly file: string; readonly format: string; readonly line?: number } & Detailed;
  /** The file cannot be read, or exceeds a limit. */
  ERR0803: { readonly file: string } & Detailed;
  ERR0804: { readonly file: string; readonly format: string };
  /** `--strict` was given, and settings would be lost. `losses`: their number. */
  ERR0805: { readonly file: string; readonly losses: number };
  /** A configuration in JavaScript was not evaluated. */
  ERR0806: { readonly file: string } & Detailed;
  /** A file of the import or export cannot be written. */
  ERR0807: { readonly file: string } & Detailed;
  /** These services need the name of a container image, and have none. */
  ERR0808: { readonly services: readonly string[]; readonly format: string };
  /** The value of a setting is not valid. The program that the file was written for would also refuse it. */
  ERR0810: { readonly file: string; readonly line: number; readonly key: string } & Detailed;
  /** The file declares more services than an import creates. */
  ERR0811: {
    readonly file: string;
    readonly line: number;
    readonly services: number;
    readonly most: number;
  };
  /** The evaluated JavaScript failed, exceeded a limit, or gave no configuration. */
  ERR0812: { readonly file: string } & Detailed;
  /** The files exist, and would be replaced without `--yes`. */
  ERR0813: { readonly files: readonly string[] };
}
