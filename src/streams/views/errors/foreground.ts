// The options that keep a daemon in the foreground, for each process name.

const FOREGROUND: Readonly<Record<string, string>> = {
  apache2: 'apache2 -D FOREGROUND',
  celery: 'celery without --detach',
  cron: 'cron -f',
  crond: 'crond -f',
  dnsmasq: 'dnsmasq --keep-in-foreground',
  gunicorn: 'gunicorn without --daemon',
  haproxy: 'haproxy -db',
  httpd: 'httpd -D FOREGROUND',
  lighttpd: 'lighttpd -D',
  mariadbd: 'mariadbd without --daemonize',
  memcached: 'memcached without -d',
  mongod: 'mongod without --fork',
  mysqld: 'mysqld without --daemonize',
  nginx: "nginx -g 'daemon off;'",
  'php-fpm': 'php-fpm --nodaemonize',
  postgres: 'postgres -D <directory>, not pg_ctl start',
  'redis-server': 'redis-server --daemonize no',
  rsyslogd: 'rsyslogd -n',
  sshd: 'sshd -D',
  supervisord: 'supervisord --nodaemon',
  unbound: 'unbound -d',
  uwsgi: 'uwsgi without --daemonize',
};

/** Returns advice how to keep this program in the foreground; `undefined` if the program is not listed. */
export const foregroundOf = (name: string): string | undefined => {
  // The process name may be longer than the name in the list: `php-fpm8.2`, `gunicorn: master`.
  const known = Object.keys(FOREGROUND).find((program) => new RegExp(`^${program}(?![a-z])`).test(name));
  const instead = known === undefined ? undefined : FOREGROUND[known];
  return instead === undefined ? undefined : `keep it in the foreground: ${instead}`;
};
