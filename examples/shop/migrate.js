// Migrates the database, then exits with 0: a one-shot that the rest of the shop waits for.
import { readOr, write } from './database.js';

const STEPS = [
  (db) => ({
    ...db,
    items: [
      { id: 1, name: 'teapot' },
      { id: 2, name: 'cup' },
    ],
  }),
  (db) => ({ ...db, orders: [] }),
  (db) => ({ ...db, items: [...db.items, { id: 3, name: 'spoon' }] }),
];

let db = readOr({ version: 0 });
for (const step of STEPS.slice(db.version)) {
  db = { ...step(db), version: db.version + 1 };
  write(db);
  console.log(`migrated to version ${db.version}`);
}
console.log(`the database is at version ${db.version}`);
