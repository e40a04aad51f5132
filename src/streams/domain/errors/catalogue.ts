// The error catalogue: title, usual cause and next step of each code. A test checks that `docs/errors.md` has
// the same texts.
import { OF_DASHBOARD } from './catalogue-dashboard.ts';
import { OF_EXCHANGE } from './catalogue-exchange.ts';
import { OF_HOSTS } from './catalogue-hosts.ts';
import { PRIVILEGED } from './catalogue-privileged.ts';
import { entry, OF_SERVICES, type CatalogueEntry } from './catalogue-services.ts';
import type { ErrorCode } from './error.ts';

export const CATALOGUE: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  ...OF_SERVICES,
  ERR0200: entry(
    'command line not understood',
    'sup does not know a command, an option or a value, or a required value is missing',
    'sup --help, or sup <command> --help',
  ),
  ERR0201: entry(
    '-p contradicts the selection',
    'the named service or manifest does not belong to the project of -p',
    'drop -p, or name the right project',
  ),
  ERR0202: entry(
    'no such project or service',
    'no project, service or manifest of this name is registered',
    'to list what is registered: sup status',
  ),
  ERR0203: entry(
    'manifest cannot be read',
    'the file is missing, may not be read, or belongs to another tool',
    'check the path given with -c',
  ),
  ERR0204: entry('options that exclude each other', 'two options contradict each other', 'use one of them'),
  ERR0205: entry(
    'supervisor does not answer',
    'the supervisor is stopped (SIGSTOP) or overloaded, or it has reached its maximum number of clients',
    'look at the process: kill -CONT, or to end it while its services go on: sup shutdown --force',
  ),
  ERR0206: entry(
    'no supervisor is running',
    'no supervisor was started for this data directory',
    'sup start -c <manifest>',
  ),
  ERR0207: entry(
    'missing or broken !include',
    'an included file cannot be read, or has an error; if it has an error, the message begins with the code of this error',
    'follow the chain that is printed',
  ),
  ERR0208: entry(
    'cyclic !include',
    'a file includes itself, directly or through others',
    'break the loop that is printed',
  ),
  ERR0209: entry(
    'manifest too large',
    'includes, aliases or variables exceed a limit on depth, number or size',
    'split the manifest into several',
  ),
  ERR0210: entry(
    'unreadable duration or size',
    'the value does not have the form of a duration (a whole number with ms, s, m or h) or of a size (a number with K, M, G or T)',
    'write it in that form',
  ),
  ERR0211: entry(
    'unknown key',
    'the key is not part of the schema: often a misspelling',
    'see the suggestion, or docs/manifest.md',
  ),
  ERR0212: entry(
    'unsupported manifest version',
    'sup supports only versions 2 and 3 of the manifest',
    'to convert a version 1 manifest: sup migrate',
  ),
  ERR0213: entry(
    'wrong type or value, or a missing key',
    'the value does not follow the rule that the message states, or a required key is missing',
    'see docs/manifest.md',
  ),
  ERR0214: entry(
    'unknown dependency',
    'depends_on names a service that the project does not have',
    'correct the name; dependencies stay inside one project',
  ),
  ERR0215: entry(
    'dependency cycle',
    'services wait for each other',
    'remove one dependency of the loop that is printed',
  ),
  ERR0216: entry(
    'undefined variable',
    'a ${VAR} has no value at this place of the manifest',
    'define it, or give a default: ${VAR:-default}',
  ),
  ERR0217: entry('YAML syntax', 'the file is not valid YAML', 'see the position that is printed'),
  ERR0218: entry(
    'claimed by another registered manifest',
    'two manifests declare the same project or loose service',
    'rename one, or drop the other manifest: sup forget <manifest>',
  ),
  ERR0219: entry(
    'manifest not trusted',
    'another user could change the file, or could redirect a path to which the manifest makes root write',
    'correct the owner and mode of what the message names, or use another path',
  ),
  ERR0220: entry(
    'env file unreadable',
    'the env file or the file of a secret is missing, or a line of the env file is not KEY=value',
    'see the line that is printed',
  ),
  ERR0221: entry(
    'cron expression or time zone',
    'the expression is not a cron expression of five or six fields, or the time zone is not an IANA name, utc or local',
    'correct it',
  ),
  ERR0222: entry(
    'fields that exclude each other',
    'two keys of one object, or of two services, contradict each other',
    'keep one of them',
  ),
  ERR0223: entry(
    'key that is not carried out',
    'sup knows the key and checks its value, but the key has no effect, either always or together with other keys of this manifest; with version 3 of the manifest this is an error',
    'remove the key; docs/manifest.md lists the keys without effect, and what happens instead',
  ),
  ERR0226: entry(
    'profile unknown, or a dependency is not in the chosen ones',
    'a chosen profile belongs to no service, or a service requires a dependency that belongs only to profiles that are not chosen',
    'choose other profiles, or write required: false for the dependency; docs/manifest.md, "Profiles"',
  ),
  ERR0227: entry(
    'files that do not merge',
    'a later file of the manifest has another version, or uses !reset for a key that no earlier file has',
    'correct the later file; docs/manifest.md, "Several files"',
  ),
  ERR0224: entry(
    'manifest cannot be written',
    'the file cannot be replaced, or its old content cannot be kept as <file>.bak',
    'check the owner and mode of its directory, free space, and what exists at <file>.bak',
  ),
  ERR0225: entry(
    'setting ignored',
    'a value or an element of supervisor.xml, or the whole file, is not valid; sup uses the default instead',
    'correct what the message names, then run sup upgrade; docs/settings.md has every element',
  ),
  ...OF_HOSTS,
  ...OF_DASHBOARD,
  ...OF_EXCHANGE,
  ERR0241: entry(
    'change not allowed for an agent',
    'an agent, or a program with limits, requested a change that concerns or would affect a service outside its limits',
    "a person may allow it: sup mcp --allow 'restart:shop/*'",
  ),
  ERR0242: entry(
    'plan not shown, or outdated',
    'an agent may only apply a plan that this session has shown; the hash belongs to no such plan, or the plan has changed since',
    'call the tool plan again, look at the result, then apply its hash',
  ),
  ERR0243: entry(
    'call of an agent not understood',
    'the tool does not take these arguments',
    'look at the inputSchema of the tool in tools/list',
  ),
  ERR0244: entry(
    'a file is needed, not standard input',
    'the command needs the path of a manifest, to register it or to find its registration; only validate, config, export and migrate read a manifest from standard input (-)',
    'write the manifest into a file and name that: -c sup.yaml',
  ),
  ERR0245: entry(
    'standard input cannot be read',
    'standard input is a terminal, has more than 8 MiB, or cannot be read',
    'pass the manifest in a pipe: cat sup.yaml | sup validate -c -',
  ),
  ERR0301: entry(
    'a registered manifest is invalid',
    'restart and apply first read every registered manifest, and the manifests of the selected services must be valid; running services are unchanged',
    'to see what is wrong: sup validate -c <manifest>; to drop a manifest that is not needed: sup forget <manifest>',
  ),
  ERR0302: entry(
    'restart left units short of their target',
    'each service that is listed has its own error',
    'fix the services above',
  ),
  ERR0303: entry(
    'nothing to roll back to',
    'no earlier declaration of these services had a run that became ready, or the services are rolled back already; only one earlier declaration is kept',
    'correct the manifest, then: sup apply',
  ),
  ERR0304: entry(
    'not a service with replicas',
    'the manifest declares no replicas for this service, so the service has no instances that sup could add or remove',
    'write replicas: 1 in its manifest (refused with cron and blue_green), then: sup apply; to change the number after that: sup scale <service>=<number>',
  ),
  ERR0401: entry(
    'not a living part of a service',
    'sup spawn was run outside every service, by a process that has left its service, or by another user than the service',
    'run it in a process of the service that is to have the child; that process must not be detached',
  ),
  ERR0402: entry(
    'the service takes no children',
    'its spawn.mode is static, which is the default',
    'write spawn: { mode: dynamic } in its manifest, then sup apply',
  ),
  ERR0403: entry(
    'a limit of spawn.limits is reached',
    'the number of living children, of descendants or of levels, or the memory of the service and all its children together, has reached a limit of the manifest',
    'wait for children to end (to list them: sup inspect), or raise the limit in the manifest',
  ),
  ERR0404: entry(
    'too many spawns in a second',
    'a parent may start at most ten children in a second',
    'try again after the time that is printed',
  ),
  ERR0405: entry(
    'name of a child in use',
    'a living child of the same parent has that name',
    'choose another --name, or leave it out',
  ),
  ERR0406: entry(
    'the requesting process cannot be identified',
    'sup needs the C library to ask the kernel which process is at the other end of the control socket, and this call failed',
    'in a clone: npm run addon; in any other installation, look at: sup doctor',
  ),
  ERR0407: entry(
    'the service is ending',
    'the service is being stopped, and a service that is being stopped can start no more children',
    'ask again when the service runs',
  ),
  ERR0408: entry(
    'confined otherwise than its service',
    'the requesting process has confined itself further than its service; a child would have only the confinement of the service, so the process could escape through the child',
    'ask from a process of the service that has not confined itself, or declare the confinement in the manifest',
  ),
  ERR0409: entry(
    'event refused',
    'the event was not sent by a process of a running service, the event was too large, or the service sent too many events within a second',
    'send it from a process of a service, less often, and put large data into the log',
  ),
  ERR0501: entry(
    'upgrade refused',
    'a rollout or another upgrade is under way, the supervisor is ending, or the C library cannot be called; nothing was changed',
    'fix the problem above, then run: sup upgrade',
  ),
  ERR0502: entry(
    'upgrade failed during hand-over',
    'the new program was tried and cannot take over, the supervisor did not finish its current work in time, or the files of the old program were replaced before they were copied; no service was touched',
    'install it again, or upgrade to another version; if the supervisor is busy, upgrade again later; if its files were replaced: sup shutdown, then sup start',
  ),
  ERR0503: entry(
    'old program resumed',
    'the new program failed while it took over; nothing was stopped and nothing was lost',
    'look at the supervisor log and logs/supervisor.err for what it said',
  ),
  ERR0504: entry(
    'program cannot be loaded whole',
    'the installation was replaced while sup ran, or a file of the installation is missing, damaged or for another kind of machine',
    'run the program again; if it still fails, install it again',
  ),
  ERR0601: entry(
    'project is registered',
    'purge only removes files of projects that are no longer registered',
    'first drop the registration: sup forget <manifest>',
  ),
  ERR0602: entry(
    'something of what is left runs',
    'processes carry the run tag of a service that is not registered any more',
    'to stop them first: sup purge --force',
  ),
  ERR0603: entry(
    'boot entry that sup did not write',
    'a boot entry of this name exists, and sup did not write it',
    'move it out of the way, or edit it by hand',
  ),
  ERR0604: entry(
    'boot entry cannot be put in place',
    'the init system refused the entry, or this machine has no init system that sup knows',
    'see what it said; --init names another system (systemd, openrc or crontab), to print its entry: sup boot install --init <system> --dry-run',
  ),
  ERR0701: entry(
    'data directory cannot be used',
    'the directory or a file in it cannot be read or written, belongs to another user, or is accessible to other users; or, with --sys, a user other than root may change it',
    'check owner, mode and free space, or set SUP_DATA_DIR',
  ),
  ERR0702: entry(
    'another supervisor holds the data directory',
    'only one supervisor can run for a data directory, and a supervisor already runs for this directory',
    'use it, or end it with sup shutdown; SUP_DATA_DIR names another directory',
  ),
  ...PRIVILEGED,
};
