// What `npm run docs` does before and after the generator.
export { checkSite } from './check.ts';
export { stage } from './stage.ts';
