// Properties are tried with the same inputs each time, so that a verification says something of the change that is verified.
// `SEED=random npm test` looks for new ones, and says with which seed it failed.
import fc from 'fast-check';

const SEED = 20_261_121;

const { SEED: asked } = process.env;
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? SEED) });
