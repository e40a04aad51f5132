// What the catalogue says of one code.

export interface CatalogueEntry {
  readonly title: string;
  readonly cause: string;
  readonly next: string;
}

/** What happened, why that is, and what to do next: one line of the catalogue, each of them a sentence for people. */
export const entry = (title: string, cause: string, next: string): CatalogueEntry => ({ title, cause, next });
