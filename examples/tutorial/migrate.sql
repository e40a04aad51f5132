-- Brings the database to what the programs need. It may run any number of times.
create table if not exists entries (
  id bigint generated always as identity primary key,
  text text not null,
  words int
);
