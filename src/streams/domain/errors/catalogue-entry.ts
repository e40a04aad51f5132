// What the catalogue says of one code.

export interface CatalogueEntry {
  readonly title: string;
  readonly cause: string;
  readonly next: string;
}

export const entry = (title: string, cause: string, next: string): CatalogueEntry => ({ title, cause, next });
