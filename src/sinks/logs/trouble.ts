// What goes wrong with the logs is the operator's to hear of.

/** Tells the operator, once per trouble. */
export type OnTrouble = (text: string) => void;
