// Waits until all services run, then prints the first incident with its cause and its last output.
//
//   node examples/client/incident.js            the supervisor of this user
//   SUP_DATA_DIR=/srv/sup node …/incident.js    another one
import { connect } from 'sup/client';

const sup = connect();

const SETTLED = ['running', 'done', 'scheduled', 'stopped', 'skipped'];
const FAILED = ['backoff', 'failed', 'breaker-open', 'lost'];

for await (const { supervisor, projects } of sup.status$) {
  const coming = projects.flatMap(({ services }) => services).filter(({ state }) => !SETTLED.includes(state));
  if (supervisor.running && coming.length === 0) break;
  const names = coming.map(({ name, state }) => `${name} is ${state}`).join(', ');
  console.log(supervisor.running ? `waiting: ${names}` : 'waiting for a supervisor');
}
console.log('all services are up; watching for an incident');

for await (const event of sup.events$) {
  if (event.kind !== 'state' || !FAILED.includes(event.to ?? '')) continue;
  console.log(`${event.at} ${event.project}/${event.service} is ${event.to}: ${event.reason}`);
  const services = [`${event.project}/${event.service}`];
  for await (const { stream, text } of sup.logs$({ services }, { lines: 5, follow: false }))
    console.log(`  ${stream} | ${text}`);
  const { services: known } = await sup.inspect({ services });
  console.log(
    `  started ${known[0]?.restarts_total ?? 0} times again; it needs: ${known[0]?.depends_on.map(({ service }) => service).join(', ') || 'nothing'}`,
  );
  break;
}
