// Turns of the event loop: what is on its way arrives, and no time has to pass. For tests whose timers are virtual.

export const turns = async (count = 10): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
