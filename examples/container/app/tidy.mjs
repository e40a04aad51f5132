// Says how much is in the store.
import { readdirSync } from 'node:fs';

console.log(`${readdirSync(process.env.STORE).length} files in the store`);
