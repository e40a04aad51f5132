// One entry of the catalogue.

export interface CatalogueEntry {
  readonly title: string;
  readonly cause: string;
  readonly next: string;
}

/** Returns a catalogue entry: what happened, its usual cause, and the next step, each as text for users. */
export const entry = (title: string, cause: string, next: string): CatalogueEntry => ({ title, cause, next });
