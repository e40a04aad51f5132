// How the rows of the terminal are shared between the services, the selected one, and the events.

interface Shares {
  readonly services: number;
  /** True if there is room for the selected one. */
  readonly detail: boolean;
  /** Rows for recent events; 0 if there is no room. */
  readonly events: number;
}

/** Rows for the first line, the heading and the keys. */
const FIXED = 3;
const DETAIL = 3;
const EVENTS_TITLE = 1;
const FEWEST_EVENTS = 3;
const ROOMY = 8;

export const sharesOf = (rows: number, services: number): Shares => {
  const free = Math.max(0, rows - FIXED);
  const detail = free >= ROOMY;
  const rest = free - (detail ? DETAIL : 0);
  if (rest < ROOMY) return { services: rest, detail, events: 0 };
  const shown = Math.min(services, rest - EVENTS_TITLE - FEWEST_EVENTS);
  return { services: shown, detail, events: rest - shown - EVENTS_TITLE };
};
