// Configurations as projects have them, with all that the dialect permits.
const MAIN = '[supervisord]\nnodaemon=true\n';

const program = (name: string, ...lines: readonly string[]): string =>
  `[program:${name}]\n${lines.join('\n')}\n\n`;

type Files = Readonly<Record<string, string>>;

const one = (text: string): Files => ({ 'supervisord.conf': text });

export const ENVIRONMENT = { WEB_PORT: '8080', WORKERS: '3', HOME: '/root', PATH: '/usr/bin:/bin' };

/** By their titles. `supervisord` reads the first file of each. */
export const CONFIGURATIONS: Readonly<Record<string, Files>> = {
  'a container with php and nginx': one(`
[supervisord]
nodaemon=true
user=root
logfile=/dev/null
logfile_maxbytes=0
pidfile=/tmp/supervisord.pid

[program:php-fpm]
command=docker-php-entrypoint php-fpm
autostart=true
autorestart=true
priority=5
stdout_logfile=/dev/stdout
stdout_logfile_maxbytes=0
stderr_logfile=/dev/stderr
stderr_logfile_maxbytes=0

[program:nginx]
command=/usr/sbin/nginx -g "daemon off;"
autostart=true
autorestart=true
priority=10
stdout_events_enabled=true
stdout_logfile=/dev/stdout
stdout_logfile_maxbytes=0
stderr_logfile=/dev/stderr
stderr_logfile_maxbytes=0
`),
  'workers of a queue': one(
    MAIN +
      program(
        'laravel-worker',
        'process_name=%(program_name)s_%(process_num)02d',
        'command=php /tmp/artisan queue:work sqs --sleep=3 --tries=3 --max-time=3600',
        ...['autostart=true', 'autorestart=true', 'stopasgroup=true', 'killasgroup=true'],
        ...['numprocs=8', 'redirect_stderr=true', 'stopwaitsecs=3600'],
      ),
  ),
  'workers with ports from 0': one(
    MAIN +
      program(
        'tornado',
        'command=python3 main.py --port=80%(process_num)02d --of=%(numprocs)d',
        ...['process_name=%(program_name)s-%(process_num)d', 'numprocs=4', 'numprocs_start=0'],
        'environment=PORT="80%(process_num)02d",NAME="%(group_name)s"',
      ),
  ),
  'workers that count from 1': one(
    MAIN +
      program(
        'celery',
        'command=celery worker -n w%(process_num)d@host',
        ...['process_name=%(program_name)s%(process_num)s', 'numprocs=3', 'numprocs_start=1'],
        'environment=QUEUE="q%(process_num)s"',
      ),
  ),
  'groups with priorities': one(
    `${MAIN}[group:shop]\nprograms=db, web\npriority=100\n[group:mail]\nprograms=smtp\n` +
      program('web', 'command=web', 'priority=20') +
      program('db', 'command=db', 'priority=10', 'stopsignal=INT') +
      program('smtp', 'command=smtp', 'priority=1') +
      program('alone', 'command=alone'),
  ),
  'comments, continuations and quotes': one(`
# a comment
; another one
[supervisord]
nodaemon = true ; in the foreground

[program:web]
command = python3 -c "print('a; b', \\"c\\")" 'one two' x\\ y ; the program
directory = /tmp	; with a tab
environment =
    A="1, 2",
    B='it is',
    C=plain/path.txt
exitcodes: 0,2,
    3
stopsignal = usr1
priority = 7
`),
  'values from the environment': one(
    MAIN.replace('nodaemon=true', 'nodaemon=true\nenvironment=STAGE="test",LEVEL=info') +
      program(
        'web',
        'command=serve --port %(ENV_WEB_PORT)s --stage %(ENV_STAGE)s "%(ENV_HOME)s/x y" --literal $HOME',
        ...['environment=LEVEL="debug",URL="http://h:%(ENV_WEB_PORT)s/"', 'numprocs=%(ENV_WORKERS)s'],
        'process_name=%(program_name)s_%(process_num)d',
      ),
  ),
  'own variables in the command': one(
    MAIN + program('web', 'environment=MODE="fast"', 'command=serve --mode %(ENV_MODE)s --per 100%%'),
  ),
  'every restart policy': one(
    MAIN +
      program('a', 'command=a', 'autorestart=false', 'startsecs=0', 'startretries=0') +
      program('b', 'command=b', 'autorestart=unexpected', 'exitcodes=0,2,143') +
      program('c', 'command=c', 'autorestart=TRUE', 'startretries=10', 'autostart=off') +
      program('d', 'command=d', 'autorestart=no', 'exitcodes=1'),
  ),
  'signals by name and number': one(
    MAIN +
      program('a', 'command=a', 'stopsignal=SIGQUIT', 'stopwaitsecs=1') +
      program('b', 'command=b', 'stopsignal=10', 'stopwaitsecs=120') +
      program('c', 'command=c', 'stopsignal=hup'),
  ),
  'users and masks': one(
    `[supervisord]\nnodaemon=true\numask=027\n${program('a', 'command=a', 'user=nobody', 'umask=002')}${program('b', 'command=b', 'user=33')}`,
  ),
  'logs of every kind': one(
    MAIN +
      program('a', 'command=a', 'stdout_logfile=NONE', 'stderr_logfile=none') +
      program(
        'b',
        'command=b',
        'stdout_logfile=AUTO',
        'stdout_logfile_maxbytes=1GB',
        'stdout_logfile_backups=2',
      ) +
      program('c', 'command=c', 'stdout_logfile=/tmp/c.log', 'stdout_logfile_maxbytes=0') +
      program('d', 'command=d', 'stdout_logfile=off', 'redirect_stderr=yes'),
  ),
  'a FastCGI program': one(
    `${MAIN}[fcgi-program:app]\nsocket=unix:///tmp/app.sock\ncommand=app --x "a b"\nnumprocs=2\nprocess_name=%(program_name)s_%(process_num)02d\nsocket_backlog=100\n[fcgi-program:tcp]\nsocket=tcp://127.0.0.1:9123\ncommand=app\n`,
  ),
  'a section twice': one(
    `${MAIN}[program:a]\ncommand=old\npriority=3\n[program:b]\ncommand=b\n[program:a]\ncommand=new\n`,
  ),
  'defaults for all sections': one(
    `[DEFAULT]\nautorestart=true\n[supervisord]\nnodaemon=true\n${program('a', 'command=a')}${program('b', 'command=b', 'autorestart=false')}`,
  ),
  'includes with patterns': {
    'supervisord.conf': `[supervisord]\nnodaemon=true\n[include]\nfiles = conf.d/*.conf other/[ab]?.ini missing/*.conf\n${program('main', 'command=%(here)s/bin/main')}`,
    'conf.d/b.conf': program('b', 'command=%(here)s/b', 'priority=2'),
    'conf.d/a.conf': `${program('a', 'command=a')}[include]\nfiles=../never/*.conf\n`,
    'conf.d/.hidden.conf': program('hidden', 'command=hidden'),
    'other/a1.ini': program('a1', 'command=a1'),
    'other/c1.ini': program('c1', 'command=c1'),
    'never/n.conf': program('never', 'command=never'),
  },
  'a group in an included file': {
    'supervisord.conf': `${MAIN}[include]\nfiles = */*.conf`,
    'x/one.conf': `${program('one', 'command=one')}[group:both]\nprograms=one,two\n`,
    'y/two.conf': program('two', 'command=two', 'directory=/tmp'),
  },
};

/** Texts that supervisord refuses, each for one reason. */
export const REFUSED: Readonly<Record<string, string>> = {
  'a line before the first section': 'command=a\n',
  'a line without a key': `${MAIN}[program:a]\ncommand=a\nnonsense\n`,
  'an unknown signal': MAIN + program('a', 'command=a', 'stopsignal=NOPE'),
  'no number': MAIN + program('a', 'command=a', 'priority=first'),
  'no truth value': MAIN + program('a', 'command=a', 'autostart=maybe'),
  'numprocs without a number in the names': MAIN + program('a', 'command=a', 'numprocs=2'),
  'an unknown expansion': MAIN + program('a', 'command=%(nothing)s'),
  'a bare percent sign': MAIN + program('a', 'command=date %'),
  'an environment without commas': MAIN + program('a', 'command=a', 'environment=A=1 B=2'),
  'a group of an unknown program': `${MAIN}[group:g]\nprograms=none\n`,
  'an exit status above 255': MAIN + program('a', 'command=a', 'exitcodes=300'),
  'a size with an unknown unit': MAIN + program('a', 'command=a', 'stdout_logfile_maxbytes=5XB'),
};
